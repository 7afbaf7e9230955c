import { fail, ok, type Result } from '../errors/index.js'
import type { JsonObject, JsonValue } from '../json/index.js'
import { bool, refined, type Shape, uint } from '../shape/index.js'
import {
  type Changes,
  changed,
  changes,
  type Printers,
  printAsIs,
  printChanges,
  printTexts,
  textSet,
} from './change.js'
import { defaultSettings, type TypoTolerance } from './model.js'
import type { WordForms } from './word-forms.js'

const CODE = 'invalid_settings_typo_tolerance'
const MAX_WORD_SIZE = 255

interface WordSizes {
  readonly oneTypo: number
  readonly twoTypos: number
}

interface Members {
  readonly enabled: boolean
  readonly minWordSizeForTypos: Changes<WordSizes>
  readonly disableOnWords: readonly string[]
  readonly disableOnAttributes: readonly string[]
  readonly disableOnNumbers: boolean
}

export type TypoTolerancePatch = Changes<Members>

const wordSize: Shape<number> = refined(
  uint,
  (size) =>
    size <= MAX_WORD_SIZE ? ok(size) : `a positive integer up to ${MAX_WORD_SIZE} was expected, ${size} was found`,
  { maximum: MAX_WORD_SIZE },
)

const wordSizes: Shape<Changes<WordSizes>> = refined(
  changes<WordSizes>(CODE, { oneTypo: wordSize, twoTypos: wordSize }),
  (sizes) => {
    const { oneTypo, twoTypos } = sizes
    const areBothSet = typeof oneTypo === 'object' && typeof twoTypos === 'object'
    return areBothSet && oneTypo.set > twoTypos.set ? wrongOrder(oneTypo.set, twoTypos.set) : ok(sizes)
  },
)

export const typoTolerance: Shape<TypoTolerancePatch> = changes<Members>(CODE, {
  enabled: bool,
  minWordSizeForTypos: wordSizes,
  disableOnWords: textSet,
  disableOnAttributes: textSet,
  disableOnNumbers: bool,
})

function wrongOrder(oneTypo: number, twoTypos: number): Result<never> {
  return fail(
    CODE,
    `\`typoTolerance.minWordSizeForTypos\`: 0 <= \`oneTypo\` <= \`twoTypos\` <= ${MAX_WORD_SIZE} was expected, but \`oneTypo\` is ${oneTypo} and \`twoTypos\` is ${twoTypos}.`,
  )
}

export function applyTypoTolerance(current: TypoTolerance, patch: TypoTolerancePatch, forms: WordForms): TypoTolerance {
  const initial = defaultSettings.typoTolerance
  const wantedSizes = patch.minWordSizeForTypos
  const sizes = wantedSizes === 'reset' ? ({ oneTypo: 'reset', twoTypos: 'reset' } as const) : wantedSizes?.set
  const words = patch.disableOnWords
  return {
    enabled: changed(current.enabled, initial.enabled, patch.enabled),
    oneTypo: changed(current.oneTypo, initial.oneTypo, sizes?.oneTypo),
    twoTypos: changed(current.twoTypos, initial.twoTypos, sizes?.twoTypos),
    disableOnWords: changed(
      current.disableOnWords,
      initial.disableOnWords,
      typeof words === 'object' ? { set: forms.exactWords(words.set) } : words,
    ),
    disableOnAttributes: changed(current.disableOnAttributes, initial.disableOnAttributes, patch.disableOnAttributes),
    disableOnNumbers: changed(current.disableOnNumbers, initial.disableOnNumbers, patch.disableOnNumbers),
  }
}

/** One size of a request and the stored other one may not fit; only the task can see that (spec 4 §3.12). */
export function checkWordSizes({ oneTypo, twoTypos }: TypoTolerance): Result<undefined> {
  return oneTypo > twoTypos ? wrongOrder(oneTypo, twoTypos) : ok(undefined)
}

const printers: Printers<Members> = {
  enabled: printAsIs,
  minWordSizeForTypos: (sizes) => printChanges<WordSizes>(sizes, { oneTypo: printAsIs, twoTypos: printAsIs }),
  disableOnWords: printTexts,
  disableOnAttributes: printTexts,
  disableOnNumbers: printAsIs,
}

export function printTypoTolerancePatch(patch: TypoTolerancePatch): JsonObject {
  return printChanges<Members>(patch, printers)
}

export function printTypoTolerance(typos: TypoTolerance): JsonObject {
  return new Map<string, JsonValue>([
    ['enabled', typos.enabled],
    [
      'minWordSizeForTypos',
      new Map([
        ['oneTypo', typos.oneTypo],
        ['twoTypos', typos.twoTypos],
      ]),
    ],
    ['disableOnWords', [...typos.disableOnWords]],
    ['disableOnAttributes', [...typos.disableOnAttributes]],
    ['disableOnNumbers', typos.disableOnNumbers],
  ])
}
