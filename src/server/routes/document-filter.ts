import { checkTaskFilter } from '../../engine/index.js'
import type { Result } from '../../errors/index.js'
import { type JsonValue, print } from '../../json/index.js'
import type { Searcher } from '../search/searcher.js'

/** Up to this length a filter is read on the server thread. */
const READ_HERE_CHARACTERS = 16 * 1024

/**
 * The filter of a deletion or edition as JSON, which is how its task keeps it; or what is wrong with it. Long ones are
 * read by a search thread, so that nobody waits for the server thread meanwhile.
 */
export async function taskFilter({ context, asker }: Searcher, filter: JsonValue): Promise<Result<string>> {
  const gates = context.features.current
  const text = print(filter)
  const checked =
    text.length > READ_HERE_CHARACTERS
      ? await context.searching.checkFilter(text, gates, asker)
      : checkTaskFilter(filter, gates)
  return checked.ok ? { ok: true, value: text } : checked
}
