import type { Hits } from 'meilisearch'
import { useRef } from 'preact/hooks'
import { Button } from '../parts/button.js'
import { Value } from '../parts/value.js'
import { texts } from '../texts/index.js'
import { lookOf, MOST_FIELDS, showsPictures } from './looks.js'
import { Marked } from './marked.js'

type Hit = Hits[number]

export interface HitsProps {
  readonly hits: readonly Hit[]
  readonly primaryKey: string | null
  /** Place of the first one among all. */
  readonly from: number
  onWhy(hit: Hit): void
}

/** Arrows go from one to the next. */
export function HitList({ hits, primaryKey, from, onWhy }: HitsProps) {
  const list = useRef<HTMLOListElement>(null)
  const move = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const item = (event.target as Element).closest('li')
    if (step === undefined || item === null || event.target !== item) return
    const next = step === 1 ? item.nextElementSibling : item.previousElementSibling
    event.preventDefault()
    ;(next as HTMLElement | null)?.focus()
  }
  return (
    <ol class="hits" ref={list} start={from + 1} aria-label={texts.search.hits} onKeyDown={move}>
      {hits.map((hit, i) => (
        <HitCard
          key={keyOf(hit, primaryKey, from + i)}
          hit={hit}
          primaryKey={primaryKey}
          place={from + i + 1}
          onWhy={onWhy}
        />
      ))}
    </ol>
  )
}

const keyOf = (hit: Hit, primaryKey: string | null, place: number): string =>
  primaryKey === null ? String(place) : String(hit[primaryKey])

function HitCard({ hit, primaryKey, place, onWhy }: Omit<HitsProps, 'hits' | 'from'> & { hit: Hit; place: number }) {
  const { title, picture, others } = lookOf(hit, primaryKey)
  const formatted = (hit._formatted ?? {}) as Record<string, unknown>
  const score = hit._rankingScore as number | undefined
  return (
    <li class="hit" tabIndex={0}>
      {picture !== undefined && showsPictures && (
        <img src={hit[picture] as string} alt="" loading="lazy" referrerpolicy="no-referrer" />
      )}
      <div class="hit-body">
        <div class="hit-head">
          <h3>{title === undefined ? `#${place}` : <Formatted value={formatted[title] ?? hit[title]} />}</h3>
          <div class="hit-actions">
            {score !== undefined && (
              <span class="score" title={texts.search.score}>
                {score.toFixed(3)}
              </span>
            )}
            <Button kind="quiet" onClick={() => onWhy(hit)}>
              {texts.search.why}
            </Button>
          </div>
        </div>
        <dl>
          {others.slice(0, MOST_FIELDS).map((name) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <Formatted value={formatted[name] ?? hit[name]} />
              </dd>
            </div>
          ))}
        </dl>
        {others.length > MOST_FIELDS && <p class="muted">{texts.search.moreFields(others.length - MOST_FIELDS)}</p>}
      </div>
    </li>
  )
}

/** Lists of words read better as words. */
function Formatted({ value }: { value: unknown }) {
  if (typeof value === 'string') return <Marked text={value} />
  if (Array.isArray(value) && value.length < 50 && value.every((each) => typeof each === 'string'))
    return (
      <ul class="words">
        {value.map((each, i) => (
          <li key={i}>
            <Marked text={each} />
          </li>
        ))}
      </ul>
    )
  return typeof value === 'object' && value !== null ? <Marked text={JSON.stringify(value)} /> : <Value value={value} />
}
