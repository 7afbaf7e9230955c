import type { FacetDistribution, FacetStats } from 'meilisearch'
import { useEffect, useState } from 'preact/hooks'
import { texts } from '../texts/index.js'
import { changeQuery, isNumeric, type Query, type Range, toggled } from './query.js'

export interface FacetsProps {
  readonly query: Query
  readonly distribution: FacetDistribution
  readonly stats: FacetStats | undefined
}

/** Values to click, and ranges to drag. */
export function Facets({ query, distribution, stats }: FacetsProps) {
  return (
    <section class="facets" aria-label={texts.search.facets}>
      {Object.entries(distribution).map(([attribute, counts]) =>
        isNumeric(stats, attribute) ? (
          <RangeFacet key={attribute} attribute={attribute} query={query} found={stats![attribute]!} />
        ) : (
          <ValueFacet key={attribute} attribute={attribute} query={query} counts={counts} />
        ),
      )}
    </section>
  )
}

const SHOWN = 8

function ValueFacet({ attribute, query, counts }: { attribute: string; query: Query; counts: Record<string, number> }) {
  const [isOpen, setOpen] = useState(false)
  const chosen = query.chosen.get(attribute) ?? []
  const found = Object.entries(counts).sort((a, b) => b[1] - a[1])
  const lost = chosen.filter((value) => !(value in counts)).map((value) => [value, 0] as [string, number])
  const all = [...lost, ...found]
  if (all.length === 0) return null
  const toggle = (value: string) =>
    changeQuery({ chosen: new Map([...query.chosen, [attribute, toggled(chosen, value)]]) })
  return (
    <fieldset>
      <legend>{attribute}</legend>
      {all.slice(0, isOpen ? all.length : SHOWN).map(([value, count]) => (
        <label key={value} class="facet-value">
          <input type="checkbox" checked={chosen.includes(value)} onChange={() => toggle(value)} />
          <span class="facet-name">{value}</span>
          <span class="count">{texts.number(count)}</span>
        </label>
      ))}
      {all.length > SHOWN && (
        <button type="button" class="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? texts.search.fewerValues : texts.search.moreValues(all.length - SHOWN)}
        </button>
      )}
    </fieldset>
  )
}

type Ends = Required<Range>

/** The bounds of all that was ever found: those of the hits shrink while one drags. */
function useWidest(found: Ends): Ends {
  const [widest, setWidest] = useState(found)
  useEffect(() => {
    setWidest((before) => ({ min: Math.min(before.min, found.min), max: Math.max(before.max, found.max) }))
  }, [found.min, found.max])
  return widest
}

function RangeFacet({ attribute, query, found }: { attribute: string; query: Query; found: Ends }) {
  const widest = useWidest(found)
  const dragged = query.ranges.get(attribute)
  const range: Ends = { ...widest, ...dragged }
  const step = Number.isInteger(widest.min) && Number.isInteger(widest.max) ? 1 : (widest.max - widest.min) / 200 || 1
  /** An end at the very end is open again; one that passes the other takes it along. */
  const drag = (end: 'min' | 'max', value: number) => {
    const next: { min?: number; max?: number } = { ...dragged, [end]: value }
    if (next[end] === widest[end]) delete next[end]
    if (end === 'min' && value > range.max) next.max = value
    if (end === 'max' && value < range.min) next.min = value
    const ranges = new Map(query.ranges)
    if (next.min === undefined && next.max === undefined) ranges.delete(attribute)
    else ranges.set(attribute, next)
    changeQuery({ ranges })
  }
  const slider = (end: 'min' | 'max', label: string) => (
    <label class="range-end">
      <span>{label}</span>
      <input
        type="range"
        min={widest.min}
        max={widest.max}
        step={step}
        value={range[end]}
        onInput={(event) => drag(end, event.currentTarget.valueAsNumber)}
      />
      <output>{texts.plainNumber(range[end])}</output>
    </label>
  )
  return (
    <fieldset>
      <legend>{attribute}</legend>
      {slider('min', texts.search.from)}
      {slider('max', texts.search.to)}
    </fieldset>
  )
}
