import { MeilisearchApiError } from 'meilisearch'
import { authorization } from '../server/client.js'
import { texts } from '../texts/index.js'
import { pathOf } from './pages.js'

/**
 * The document as the server wrote it. It is not parsed and printed again: that would change numbers which are too
 * long for this page, and whoever edits another field would store them so. With vectors, as a document that is
 * replaced without its own would lose them.
 */
export async function readDocumentText(index: string, id: string, signal: AbortSignal): Promise<string> {
  const path = `/${pathOf(index)}/documents/${encodeURIComponent(id)}?retrieveVectors=true`
  const answer = await fetch(path, { headers: authorization(), signal })
  if (!answer.ok) throw new MeilisearchApiError(answer, await answer.json().catch(() => undefined))
  return (await answer.text()).replace(/,"_vectors":\{\}\}$/, '}')
}

/** The same JSON with a line for each member. Strings, the only place where brackets mean nothing, are kept whole. */
export function indented(json: string): string {
  let depth = 0
  const line = () => `\n${'  '.repeat(depth)}`
  return json.replace(/"[^"\\]*(?:\\.[^"\\]*)*"|\{\}|\[\]|[{}[\],:]|\s+/g, (token) => {
    switch (token[0]) {
      case '{':
      case '[':
        if (token.length > 1) return token
        depth++
        return token + line()
      case '}':
      case ']':
        depth--
        return line() + token
      case ',':
        return token + line()
      case ':':
        return ': '
      case '"':
        return token
      default:
        return ''
    }
  })
}

/** What is wrong with a document as it was written, or nothing. */
export function problemOf(text: string, primaryKey: string | null, id: string | undefined): string | undefined {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch (error) {
    return texts.documents.notJson((error as Error).message)
  }
  if (typeof document !== 'object' || document === null || Array.isArray(document)) return texts.documents.notObject
  if (primaryKey === null) return undefined
  const found = (document as Record<string, unknown>)[primaryKey]
  if (found === undefined) return texts.documents.noId(primaryKey)
  return id !== undefined && String(found) !== id ? texts.documents.otherId(primaryKey, id) : undefined
}
