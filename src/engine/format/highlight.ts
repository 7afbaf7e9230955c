import type { Window } from './crop-window.js'
import type { Span } from './span-finder.js'

export interface Highlighting {
  /** In the order of the text. */
  readonly spans: readonly Span[]
  readonly window: Window
  readonly preTag: string
  readonly postTag: string
}

/**
 * The text of a window with its matches between tags (spec 5 §6.4). A match that only touches the window leaves an empty
 * pair of tags there.
 */
export function highlight(text: string, { spans, window, preTag, postTag }: Highlighting): string {
  const { start, end } = window
  let shown = ''
  let at = start
  for (const match of spans) {
    if (match.end < start) continue
    if (match.start > end) break
    const from = Math.max(match.start, start)
    const to = Math.min(match.end, end)
    shown += text.slice(at, from) + preTag + text.slice(from, to) + postTag
    at = to
  }
  return shown + text.slice(at, end)
}
