import type { Hits, SearchParams, SearchResponse } from 'meilisearch'
import { useEffect, useState } from 'preact/hooks'
import type { ScreenProps } from '../app/screens.js'
import { Button } from '../parts/button.js'
import { Empty, Failed, Waiting } from '../parts/faces.js'
import { TextField } from '../parts/field.js'
import { client } from '../server/client.js'
import { type Loading, useLoaded } from '../server/loaded.js'
import { primaryKeyOf } from '../server/overview.js'
import { texts } from '../texts/index.js'
import { Facets } from './facets.js'
import { HitList } from './hits.js'
import { lookOf, showsPictures, togglePictures } from './looks.js'
import { changeQuery, HITS_PER_PAGE, type Query, query, requestOf, shownRequest } from './query.js'
import { RequestCode } from './request-code.js'
import './search.css'
import { Why } from './why.js'

/** What the settings of an index allow to ask for; nothing where the key may not read them. */
interface Possible {
  readonly facets: readonly string[]
  readonly sorts: readonly string[]
  readonly embedders: readonly string[]
}

const NOTHING: Possible = { facets: [], sorts: [], embedders: [] }
/** More would be counted for nobody to look at. */
const MOST_FACETS = 12

type Answer = SearchResponse<Record<string, unknown>, SearchParams>

export default function SearchScreen({ index }: ScreenProps) {
  const asked = query()
  const possible = usePossible(index)
  const text = JSON.stringify(shownRequest(asked, possible?.facets ?? []))
  const loading = useLoaded<Answer | undefined>(
    (signal) => {
      if (possible === undefined) return Promise.resolve(undefined)
      const { q, ...rest } = shownRequest(asked, possible.facets)
      return client.value.index(index).search(q, rest, { signal }) as Promise<Answer>
    },
    [index, text, possible],
  )
  const [why, setWhy] = useState<Hits[number] | undefined>()
  const [showsCode, setShowsCode] = useState(false)
  const primaryKey = primaryKeyOf(index)
  return (
    <div class="search-screen">
      <h1 class="sr-only">{texts.search.title(index)}</h1>
      <SearchBar asked={asked} possible={possible ?? NOTHING} onCode={() => setShowsCode(true)} />
      <Results loading={loading} asked={asked} primaryKey={primaryKey} onWhy={setWhy} />
      {why !== undefined && primaryKey !== null && (
        <Why index={index} query={asked} hit={why} primaryKey={primaryKey} onClose={() => setWhy(undefined)} />
      )}
      {showsCode && (
        <RequestCode
          index={index}
          request={requestOf(asked, possible?.facets ?? [])}
          onClose={() => setShowsCode(false)}
        />
      )}
    </div>
  )
}

function usePossible(index: string): Possible | undefined {
  const [possible, setPossible] = useState<Possible | undefined>()
  useEffect(() => {
    client.value
      .index(index)
      .getSettings()
      .then(
        ({ filterableAttributes, sortableAttributes, embedders }) =>
          setPossible({
            facets: (filterableAttributes ?? []).flatMap(namesOf).slice(0, MOST_FACETS),
            sorts: sortableAttributes ?? [],
            embedders: Object.keys(embedders ?? {}),
          }),
        () => setPossible(NOTHING),
      )
  }, [index])
  return possible
}

/** Rules for many attributes name patterns, which cannot be counted. */
function namesOf(rule: string | { attributePatterns: string[] }): string[] {
  const names = typeof rule === 'string' ? [rule] : rule.attributePatterns
  return names.filter((name) => !name.includes('*') && name !== '_geo' && name !== '_geojson')
}

function SearchBar({ asked, possible, onCode }: { asked: Query; possible: Possible; onCode(): void }) {
  const [isOpen, setOpen] = useState(asked.filter !== '')
  return (
    <div class="search-bar">
      <div class="search-line">
        <input
          type="search"
          class="search-field"
          aria-label={texts.search.field}
          placeholder={texts.search.placeholder}
          value={asked.q}
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => changeQuery({ q: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown') document.querySelector<HTMLElement>('.hits > li')?.focus()
          }}
        />
        {possible.sorts.length > 0 && (
          <select
            aria-label={texts.search.sort}
            value={asked.sort}
            onChange={(event) => changeQuery({ sort: event.currentTarget.value })}
          >
            <option value="">{texts.search.byRelevance}</option>
            {possible.sorts.flatMap((name) =>
              (['asc', 'desc'] as const).map((way) => (
                <option key={`${name}:${way}`} value={`${name}:${way}`}>
                  {texts.search.sortBy(name, way)}
                </option>
              )),
            )}
          </select>
        )}
        <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {texts.search.filter}
        </Button>
        <Button onClick={onCode}>{texts.search.request}</Button>
      </div>
      {isOpen && (
        <TextField
          label={texts.search.filterLabel}
          help={possible.facets.length === 0 ? texts.search.noFilters : texts.search.filterHelp(possible.facets)}
          value={asked.filter}
          isCode
          onText={(filter) => changeQuery({ filter })}
        />
      )}
      {possible.embedders.length > 0 && <Meaning asked={asked} embedders={possible.embedders} />}
    </div>
  )
}

/** How much counts what is meant, and how much the words. */
function Meaning({ asked, embedders }: { asked: Query; embedders: readonly string[] }) {
  const ratio = asked.semanticRatio ?? 0
  const choose = (semanticRatio: number, embedder = asked.embedder || embedders[0]!) =>
    changeQuery({
      semanticRatio: semanticRatio === 0 ? undefined : semanticRatio,
      embedder: semanticRatio === 0 ? '' : embedder,
    })
  return (
    <div class="meaning">
      <label>
        <span>{texts.search.words}</span>
        <input
          type="range"
          min={0}
          max={1}
          step={0.05}
          value={ratio}
          aria-label={texts.search.semanticRatio}
          onInput={(event) => choose(event.currentTarget.valueAsNumber)}
        />
        <span>{texts.search.meaning}</span>
        <output>{ratio.toFixed(2)}</output>
      </label>
      {embedders.length > 1 && (
        <select
          aria-label={texts.search.embedder}
          value={asked.embedder}
          onChange={(event) => choose(ratio, event.currentTarget.value)}
        >
          {embedders.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      )}
    </div>
  )
}

interface ResultsProps {
  readonly loading: Loading<Answer | undefined>
  readonly asked: Query
  readonly primaryKey: string | null
  onWhy(hit: Hits[number]): void
}

/** What was found stays until the next answer is there, so that nothing flickers while one types. */
function Results({ loading, asked, primaryKey, onWhy }: ResultsProps) {
  const { loaded, latest, reload } = loading
  if (loaded.state === 'failed') return <Failed failure={loaded.failure} onRetry={reload} />
  if (latest === undefined) return <Waiting />
  const { hits, facetDistribution, facetStats } = latest
  const total = 'totalHits' in latest ? (latest.totalHits as number) : hits.length
  const hasPictures = hits.some((hit) => lookOf(hit, primaryKey).picture !== undefined)
  return (
    <div class="results">
      {facetDistribution !== undefined && Object.keys(facetDistribution).length > 0 && (
        <Facets query={asked} distribution={facetDistribution} stats={facetStats} />
      )}
      <section class="found" aria-label={texts.search.hits}>
        <div class="found-head">
          <p role="status">{texts.search.found(total, latest.processingTimeMs)}</p>
          {hasPictures && (
            <Button kind="quiet" onClick={togglePictures}>
              {showsPictures ? texts.search.hidePictures : texts.search.showPictures}
            </Button>
          )}
        </div>
        {hits.length === 0 ? (
          <Empty icon="search" title={texts.search.nothing}>
            <p class="muted">{texts.search.nothingHelp}</p>
          </Empty>
        ) : (
          <HitList hits={hits as Hits} primaryKey={primaryKey} from={(asked.page - 1) * HITS_PER_PAGE} onWhy={onWhy} />
        )}
        <Pages page={asked.page} last={Math.max(1, Math.ceil(total / HITS_PER_PAGE))} />
      </section>
    </div>
  )
}

function Pages({ page, last }: { page: number; last: number }) {
  if (last === 1) return null
  return (
    <nav class="pages" aria-label={texts.search.pages}>
      <Button disabled={page <= 1} onClick={() => changeQuery({ page: page - 1 })}>
        {texts.search.before}
      </Button>
      <span>{texts.search.page(page, last)}</span>
      <Button disabled={page >= last} onClick={() => changeQuery({ page: page + 1 })}>
        {texts.search.next}
      </Button>
    </nav>
  )
}
