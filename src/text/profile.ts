import type { Language } from './languages.js'
import { chooseFolding, type Folding } from './normalize.js'
import { type Script, type ScriptId, scriptNames } from './scripts.js'
import { chooseSegmenter, type Segmenter } from './segmenters/choose.js'

/** How a run of one script and language is segmented and normalized. There is one object for each pair. */
export interface Profile {
  /** Small and dense, for tables. */
  readonly id: number
  readonly script: Script
  readonly language: Language | undefined
  readonly segment: Segmenter | undefined
  readonly fold: Folding
}

const withoutLanguage: (Profile | undefined)[] = []
const withLanguage = new Map<string, Profile>()
let profileCount = 0

export function profileOf(script: ScriptId, language: Language | undefined): Profile {
  if (language === undefined) return (withoutLanguage[script] ??= newProfile(scriptNames[script]!, undefined))
  const key = `${script} ${language}`
  const known = withLanguage.get(key)
  if (known !== undefined) return known
  const made = newProfile(scriptNames[script]!, language)
  withLanguage.set(key, made)
  return made
}

function newProfile(script: Script, language: Language | undefined): Profile {
  return {
    id: profileCount++,
    script,
    language,
    segment: chooseSegmenter(script, language),
    fold: chooseFolding(script, language),
  }
}
