import type { Swap, TaskContent } from '../model/task.js'

/** The content of an older task after two index names were exchanged (spec 2 §10.1). */
export function exchangeNames(content: TaskContent, a: string, b: string): TaskContent {
  const renamed = (uid: string): string => (uid === a ? b : uid === b ? a : uid)
  if (content.type === 'indexSwap')
    return { ...content, swaps: content.swaps.map((swap) => exchangeSwap(swap, renamed)) }
  if (content.type === 'indexUpdate') return exchangeUpdate(content, renamed)
  return 'indexUid' in content ? { ...content, indexUid: renamed(content.indexUid) } : content
}

/** Its details keep telling what was asked for. */
function exchangeUpdate(
  content: Extract<TaskContent, { type: 'indexUpdate' }>,
  renamed: (uid: string) => string,
): TaskContent {
  const { indexUid, oldIndexUid = indexUid, newIndexUid, newestIndexUid = newIndexUid } = content
  const update = { ...content, indexUid: renamed(indexUid), oldIndexUid }
  return newestIndexUid === null ? update : { ...update, newestIndexUid: renamed(newestIndexUid) }
}

function exchangeSwap(swap: Swap, renamed: (uid: string) => string): Swap {
  const [first, second] = swap.indexes
  return { ...swap, indexes: [renamed(first), renamed(second)] }
}
