const NUMERIC = /^[\p{N}!-/:-@[-`{-~]+$/u

/** Whether a text consists only of numeric characters and ASCII punctuation (spec 5 §1.1, §2.6). */
export function isNumeric(text: string): boolean {
  return NUMERIC.test(text)
}
