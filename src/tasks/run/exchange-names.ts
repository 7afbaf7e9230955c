import type { Swap, TaskContent } from '../model/task.js'

/** The content of an older task after two index names were exchanged (spec 2 §10.1). */
export function exchangeNames(content: TaskContent, a: string, b: string): TaskContent {
  const renamed = (uid: string): string => (uid === a ? b : uid === b ? a : uid)
  if (content.type === 'indexSwap')
    return { ...content, swaps: content.swaps.map((swap) => exchangeSwap(swap, renamed)) }
  // Its details keep telling what was asked for.
  if (content.type === 'indexUpdate') {
    return { ...content, indexUid: renamed(content.indexUid), oldIndexUid: content.oldIndexUid ?? content.indexUid }
  }
  return 'indexUid' in content ? { ...content, indexUid: renamed(content.indexUid) } : content
}

function exchangeSwap(swap: Swap, renamed: (uid: string) => string): Swap {
  const [first, second] = swap.indexes
  return { ...swap, indexes: [renamed(first), renamed(second)] }
}
