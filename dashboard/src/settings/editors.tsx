import { useState } from 'preact/hooks'
import { Select, TextArea, TextField, Toggle } from '../parts/field.js'
import { texts } from '../texts/index.js'
import type { Draft } from './draft.js'
import { FacetOrders, SynonymMap } from './maps.js'
import type { SettingName, Settings } from './model.js'
import { NumberField } from './number-field.js'
import { Ordered } from './ordered.js'
import { Filterables, Locales } from './rules.js'
import { isFitting } from './shapes.js'
import { Typos } from './typos.js'
import { Add, Words } from './words.js'

export interface EditorProps {
  readonly name: SettingName
  readonly draft: Draft
  /** Names of fields that documents have. */
  readonly attributes: readonly string[]
}

const RULES = ['words', 'typo', 'proximity', 'attributeRank', 'sort', 'wordPosition', 'exactness', 'attribute']

/** The control of one setting. */
export function Editor({ name, draft, attributes }: EditorProps) {
  const { settings, change } = draft
  switch (name) {
    case 'displayedAttributes':
    case 'searchableAttributes':
      return <OrderedNames name={name} draft={draft} suggestions={['*', ...attributes]} />
    case 'rankingRules': {
      const sorts = attributes.flatMap((attribute) => [`${attribute}:asc`, `${attribute}:desc`])
      return <OrderedNames name={name} draft={draft} suggestions={[...RULES, ...sorts]} />
    }
    case 'sortableAttributes':
      return <WordSet name={name} draft={draft} suggestions={attributes} />
    case 'stopWords':
    case 'dictionary':
      return <WordSet name={name} draft={draft} />
    case 'separatorTokens':
    case 'nonSeparatorTokens':
      return <WordSet name={name} draft={draft} isVerbatim />
    case 'filterableAttributes':
      return (
        <Filterables
          rules={settings.filterableAttributes}
          attributes={attributes}
          onRules={(rules) => change(name, rules)}
        />
      )
    case 'localizedAttributes':
      return (
        <Locales
          rules={settings.localizedAttributes}
          attributes={attributes}
          onRules={(rules) => change(name, rules)}
        />
      )
    case 'synonyms':
      return <SynonymMap synonyms={settings.synonyms} onSynonyms={(next) => change(name, next)} />
    case 'typoTolerance':
      return <Typos value={settings.typoTolerance} attributes={attributes} onValue={(next) => change(name, next)} />
    case 'distinctAttribute':
      return (
        <TextField
          label={texts.settings.attribute}
          value={settings.distinctAttribute ?? ''}
          isCode
          onText={(text) => change(name, text === '' ? null : text)}
        />
      )
    case 'facetSearch':
      return (
        <Toggle
          label={texts.settings.facetSearchOn}
          isOn={settings.facetSearch}
          onToggle={(isOn) => change(name, isOn)}
        />
      )
    case 'proximityPrecision':
    case 'prefixSearch':
      return <OneOf name={name} draft={draft} />
    case 'faceting':
      return <FacetingForm draft={draft} attributes={attributes} />
    case 'pagination':
      return (
        <NumberField
          label={texts.settings.maxTotalHits}
          value={settings.pagination.maxTotalHits}
          onNumber={(maxTotalHits) => change(name, { ...settings.pagination, maxTotalHits })}
        />
      )
    case 'searchCutoffMs':
      return (
        <NumberField
          label={texts.settings.cutoff}
          help={texts.settings.cutoffHelp}
          value={settings.searchCutoffMs}
          onNumber={(ms) => change(name, ms)}
        />
      )
    case 'embedders':
    case 'chat':
    case 'foreignKeys':
      return <JsonEditor key={draft.turn} name={name} draft={draft} />
  }
}

type ListName = 'displayedAttributes' | 'searchableAttributes' | 'rankingRules'

function OrderedNames({ name, draft, suggestions }: { name: ListName; draft: Draft; suggestions: readonly string[] }) {
  const items = draft.settings[name]
  const add = (more: readonly string[]) =>
    draft.change(name, [...items, ...more.filter((each) => !items.includes(each))])
  return (
    <>
      <Ordered
        label={texts.settings.names[name]}
        items={items}
        nameOf={(item) => item}
        onItems={(next) => draft.change(name, next)}
      >
        {(item) => <RankedName name={name} item={item} />}
      </Ordered>
      {items.length === 0 && <p class="muted">{texts.settings.emptyList[name]}</p>}
      <Add
        label={texts.settings.addTo[name]}
        suggestions={suggestions.filter((each) => !items.includes(each))}
        onAdd={add}
      />
    </>
  )
}

/** Rules of ranking say what they do. */
function RankedName({ name, item }: { name: ListName; item: string }) {
  const about = (texts.search.rules as Record<string, string>)[item] ?? texts.settings.rules[item]
  return (
    <>
      <span class="value">{item === '*' ? texts.settings.everything : item}</span>
      {name === 'rankingRules' && <span class="rule-about muted">{about ?? texts.settings.customRule}</span>}
    </>
  )
}

type SetName = 'sortableAttributes' | 'stopWords' | 'dictionary' | 'separatorTokens' | 'nonSeparatorTokens'

function WordSet(props: { name: SetName; draft: Draft; suggestions?: readonly string[]; isVerbatim?: boolean }) {
  const { name, draft, ...rest } = props
  return (
    <Words
      {...rest}
      name={texts.settings.names[name]}
      label={texts.settings.addTo[name]}
      words={draft.settings[name]}
      onWords={(words) => draft.change(name, words)}
    />
  )
}

function OneOf({ name, draft }: { name: 'proximityPrecision' | 'prefixSearch'; draft: Draft }) {
  const choices = Object.entries(texts.settings.choices[name]).map(([value, text]) => ({ value, text }))
  return (
    <Select
      label={texts.settings.names[name]}
      value={draft.settings[name]}
      choices={choices}
      onChoose={(value) => draft.change(name, value)}
    />
  )
}

function FacetingForm({ draft, attributes }: { draft: Draft; attributes: readonly string[] }) {
  const { faceting } = draft.settings
  const change = (changes: Partial<Settings['faceting']>) => draft.change('faceting', { ...faceting, ...changes })
  return (
    <>
      <NumberField
        label={texts.settings.maxValuesPerFacet}
        value={faceting.maxValuesPerFacet}
        onNumber={(maxValuesPerFacet) => change({ maxValuesPerFacet })}
      />
      <FacetOrders
        orders={faceting.sortFacetValuesBy}
        attributes={attributes}
        onOrders={(sortFacetValuesBy) => change({ sortFacetValuesBy })}
      />
    </>
  )
}

/** What is too varied for a form of its own. */
function JsonEditor({ name, draft }: { name: 'embedders' | 'chat' | 'foreignKeys'; draft: Draft }) {
  const [text, setText] = useState(() => JSON.stringify(draft.settings[name], null, 2))
  const read = (next: string) => {
    setText(next)
    try {
      const value = JSON.parse(next)
      if (isFitting(name, value)) draft.change(name, value)
      else draft.setBroken(name, texts.settings.otherShape)
    } catch (error) {
      draft.setBroken(name, (error as Error).message)
    }
  }
  return (
    <TextArea
      label={texts.settings.asJson}
      help={texts.settings.jsonHelp[name]}
      error={draft.broken.get(name)}
      value={text}
      rows={Math.min(24, Math.max(6, text.split('\n').length + 1))}
      isCode
      onText={read}
    />
  )
}
