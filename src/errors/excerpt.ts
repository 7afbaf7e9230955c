/** What a message repeats of one text that somebody sent: more than any legal uid or document id is long. */
const QUOTED_CHARACTERS = 600

/** What a whole message may hold: room for a sentence, a few such texts, and a list of the names that there are. */
const MESSAGE_CHARACTERS = 10_000

/**
 * The beginning and the end of a long text, with its length between them; a short one as it is. Messages are stored
 * with tasks and sent with every list of them, so none may be as long as what was sent.
 */
export function excerpt(text: string, mostCharacters = QUOTED_CHARACTERS): string {
  if (text.length <= mostCharacters) return text
  const tail = Math.floor(mostCharacters / 4)
  const head = wellFormed(text.slice(0, mostCharacters - tail))
  return `${head}… (${text.length} characters) …${wellFormed(text.slice(text.length - tail))}`
}

/** The same in quotes. */
export const quoted = (text: string, mostCharacters?: number): string => JSON.stringify(excerpt(text, mostCharacters))

export const boundedMessage = (message: string): string => excerpt(message, MESSAGE_CHARACTERS)

/** A cut may have left half of a character at either end. */
function wellFormed(cut: string): string {
  const start = isLowSurrogate(cut.charCodeAt(0)) ? 1 : 0
  const end = isHighSurrogate(cut.charCodeAt(cut.length - 1)) ? cut.length - 1 : cut.length
  return cut.slice(start, end)
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code < 0xdc00
const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code < 0xe000
