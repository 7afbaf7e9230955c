const HYPHENATED = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const SIMPLE = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/
const WRAPPED = /^(?:urn:uuid:(.*)|\{(.*)\})$/s

/** The UUID in lowercase hyphenated form, or undefined. Also reads 32 digits, `{...}` and `urn:uuid:...` (spec 1 §4.8). */
export function parseUuid(text: string): string | undefined {
  const lower = text.toLowerCase()
  const wrapped = WRAPPED.exec(lower)
  const inner = wrapped ? (wrapped[1] ?? wrapped[2] ?? '') : lower
  if (HYPHENATED.test(inner)) return inner
  if (wrapped) return undefined
  const simple = SIMPLE.exec(inner)
  return simple ? simple.slice(1).join('-') : undefined
}
