import { Button } from '../parts/button.js'
import { Toggle } from '../parts/field.js'
import { texts } from '../texts/index.js'
import type { FilterRule, LocaleRule } from './model.js'
import { Ordered } from './ordered.js'
import { Add, Words } from './words.js'

type Filterable = string | FilterRule

const nameOf = (rule: Filterable): string => (typeof rule === 'string' ? rule : namesOf(rule.attributePatterns))
const namesOf = (patterns: readonly string[]): string => patterns.join(', ') || texts.settings.emptyRule

export interface FilterablesProps {
  readonly rules: readonly Filterable[]
  readonly attributes: readonly string[]
  onRules(rules: readonly Filterable[]): void
}

/** Attributes by name, or rules for all that fit a pattern. */
export function Filterables({ rules, attributes, onRules }: FilterablesProps) {
  const words = texts.settings.filterable
  return (
    <>
      <Ordered label={texts.settings.names.filterableAttributes} items={rules} nameOf={nameOf} onItems={onRules}>
        {(rule, change) =>
          typeof rule === 'string' ? (
            <div class="rule-name">
              <span class="value">{rule}</span>
              <Button kind="quiet" onClick={() => change(ruleOf(rule))}>
                {words.choose}
              </Button>
            </div>
          ) : (
            <FilterRuleForm rule={rule} attributes={attributes} onRule={change} />
          )
        }
      </Ordered>
      <div class="add-line">
        <Add
          label={words.addAttribute}
          suggestions={attributes.filter((name) => !rules.includes(name))}
          onAdd={(more) => onRules([...rules, ...more.filter((name) => !rules.includes(name))])}
        />
        <Button icon="plus" onClick={() => onRules([...rules, { attributePatterns: [] }])}>
          {words.addRule}
        </Button>
      </div>
    </>
  )
}

/** The same attributes, and everything that a name allows, to take some of it away. */
const ruleOf = (name: string): FilterRule => ({
  attributePatterns: [name, `${name}.*`],
  features: { facetSearch: true, filter: { equality: true, comparison: true } },
})

function FilterRuleForm({
  rule,
  attributes,
  onRule,
}: {
  rule: FilterRule
  attributes: readonly string[]
  onRule(rule: FilterRule): void
}) {
  const words = texts.settings.filterable
  const { facetSearch = false, filter: { equality = true, comparison = false } = {} } = rule.features ?? {}
  const change = (changes: { facetSearch?: boolean; equality?: boolean; comparison?: boolean }) => {
    const all = { facetSearch, equality, comparison, ...changes }
    onRule({
      ...rule,
      features: { facetSearch: all.facetSearch, filter: { equality: all.equality, comparison: all.comparison } },
    })
  }
  return (
    <fieldset class="rule">
      <legend>{words.patterns}</legend>
      <Words
        name={words.patterns}
        label={texts.settings.addPattern}
        words={rule.attributePatterns}
        suggestions={attributes}
        onWords={(attributePatterns) => onRule({ ...rule, attributePatterns })}
      />
      <Toggle label={words.equality} isOn={equality} onToggle={(isOn) => change({ equality: isOn })} />
      <Toggle label={words.comparison} isOn={comparison} onToggle={(isOn) => change({ comparison: isOn })} />
      <Toggle label={words.facetSearch} isOn={facetSearch} onToggle={(isOn) => change({ facetSearch: isOn })} />
    </fieldset>
  )
}

/** Codes with two letters, or three where there are none with two. Others are taken too, if the server knows them. */
const LOCALES = (
  'af ak am ar az be bn bg ca cs da de el en eo et fi fr gu he hi hr hu hy id it jv ja kn ka km ko la lv lt ml mr mk ' +
  'my ne nl nb or pa fa pl pt ro ru si sk sl sn es sr sv ta te tl th tk tr uk ur uz vi yi zh zu cmn'
).split(' ')

/** Which languages are in which attributes. */
export function Locales({
  rules,
  attributes,
  onRules,
}: {
  rules: readonly LocaleRule[] | null
  attributes: readonly string[]
  onRules(rules: readonly LocaleRule[] | null): void
}) {
  const words = texts.settings.locales
  const list = rules ?? []
  return (
    <>
      <Ordered
        label={texts.settings.names.localizedAttributes}
        items={list}
        nameOf={({ attributePatterns }) => namesOf(attributePatterns)}
        onItems={(next) => onRules(next.length === 0 ? null : next)}
      >
        {(rule, change) => (
          <fieldset class="rule">
            <legend>{words.patterns}</legend>
            <Words
              name={words.patterns}
              label={texts.settings.addPattern}
              words={rule.attributePatterns}
              suggestions={attributes}
              onWords={(attributePatterns) => change({ ...rule, attributePatterns })}
            />
            <p class="sub-label">{words.languages}</p>
            <Words
              name={words.languages}
              label={words.add}
              words={rule.locales}
              suggestions={LOCALES}
              onWords={(locales) => change({ ...rule, locales })}
            />
          </fieldset>
        )}
      </Ordered>
      <Button icon="plus" onClick={() => onRules([...list, { attributePatterns: [], locales: [] }])}>
        {words.addRule}
      </Button>
    </>
  )
}
