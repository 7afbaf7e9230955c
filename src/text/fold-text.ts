import type { AllowedLanguages } from './languages.js'
import { decompose } from './normalize.js'
import { RunReader } from './run-reader.js'
import { TextUnits } from './text-units.js'

const PLAIN = /^[ -@[-~]*$/

/** A text normalized as words are (spec 5 §1.6), but not cut: each run of one script counts as one word. */
export function foldText(text: string, locales?: AllowedLanguages): string {
  // Printable ASCII without capitals is what it becomes.
  if (PLAIN.test(text)) return text
  const source = new TextUnits(text)
  const runs = new RunReader(source, locales)
  let folded = ''
  while (runs.next()) {
    const parts = decompose(text.slice(runs.start, runs.end), runs.profile.language)
    runs.profile.fold(parts)
    folded += parts.join('')
  }
  source.release()
  return folded
}
