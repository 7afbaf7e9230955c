import { Toggle } from '../parts/field.js'
import { texts } from '../texts/index.js'
import type { TypoTolerance } from './model.js'
import { NumberField } from './number-field.js'
import { Words } from './words.js'

export interface TyposProps {
  readonly value: TypoTolerance
  readonly attributes: readonly string[]
  onValue(value: TypoTolerance): void
}

export function Typos({ value, attributes, onValue }: TyposProps) {
  const words = texts.settings.typos
  const sizes = value.minWordSizeForTypos
  const change = (changes: Partial<TypoTolerance>) => onValue({ ...value, ...changes })
  return (
    <>
      <Toggle label={words.enabled} isOn={value.enabled ?? true} onToggle={(enabled) => change({ enabled })} />
      <div class="pair">
        <NumberField
          label={words.oneTypo}
          value={sizes.oneTypo}
          onNumber={(oneTypo) => change({ minWordSizeForTypos: { ...sizes, oneTypo } })}
        />
        <NumberField
          label={words.twoTypos}
          value={sizes.twoTypos}
          onNumber={(twoTypos) => change({ minWordSizeForTypos: { ...sizes, twoTypos } })}
        />
      </div>
      <p class="sub-label">{words.onWords}</p>
      <Words
        name={words.onWords}
        label={words.addWord}
        words={value.disableOnWords}
        onWords={(disableOnWords) => change({ disableOnWords })}
      />
      <p class="sub-label">{words.onAttributes}</p>
      <Words
        name={words.onAttributes}
        label={words.addAttribute}
        suggestions={attributes}
        words={value.disableOnAttributes}
        onWords={(disableOnAttributes) => change({ disableOnAttributes })}
      />
      <Toggle
        label={words.onNumbers}
        isOn={value.disableOnNumbers ?? false}
        onToggle={(disableOnNumbers) => change({ disableOnNumbers })}
      />
    </>
  )
}
