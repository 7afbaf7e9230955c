import { useState } from 'preact/hooks'
import { addressOf, place, setParams } from '../app/place.js'
import type { ScreenProps } from '../app/screens.js'
import { Button } from '../parts/button.js'
import { Face } from '../parts/faces.js'
import { type Loading, useLoaded } from '../server/loaded.js'
import { texts } from '../texts/index.js'
import { type Comparison, compare, countsOf } from './compare.js'
import { Ranked } from './ranked.js'
import { useRun } from './run.js'
import { COMPARED, type Found, searchOn } from './searches.js'
import { SideForm } from './side-form.js'
import { queryOf, readSide, requestOf, SIDES, type Side, type SideName, sharedQuery } from './sides.js'
import { toggleWanted, useWishes, type Wish } from './wanted.js'
import { WishList } from './wish-list.js'
import './lab.css'

type Both<T> = Readonly<Record<SideName, T>>

const VIEWS = ['hits', 'queries'] as const

/** Two searches beside each other, and what both make of queries whose answers are known. */
export default function LabScreen({ index }: ScreenProps) {
  const sides: Both<Side> = { left: readSide('left'), right: readSide('right') }
  const [wishes, setWishes] = useWishes(index)
  const run = useRun(index, sides)
  const view = VIEWS.find((name) => name === place.value.params.get('view')) ?? 'hits'
  return (
    <div class="lab-screen">
      <h1>{texts.lab.title(index)}</h1>
      <Parameters sides={sides} index={index} />
      <nav class="tabs" aria-label={texts.lab.views}>
        {VIEWS.map((name) => (
          <a key={name} href={addressOfView(name)} aria-current={name === view ? 'true' : undefined}>
            {texts.lab.view[name]}
            {name === 'queries' && wishes.length > 0 && <span class="badge">{wishes.length}</span>}
          </a>
        ))}
      </nav>
      {view === 'hits' ? (
        <Compared index={index} sides={sides} wishes={wishes} onWishes={setWishes} />
      ) : (
        <WishList
          index={index}
          wishes={wishes}
          run={run}
          onWishes={setWishes}
          onOpen={(q) => setParams({ view: '', q, 'left.q': '', 'right.q': '' })}
        />
      )}
    </div>
  )
}

function addressOfView(view: string): string {
  const { screen, path, params } = place.value
  return addressOf(screen, path, { ...Object.fromEntries(params), view: view === 'hits' ? undefined : view })
}

/** Open as long as both sides ask the same: then there is nothing to see yet. */
function Parameters({ sides, index }: { sides: Both<Side>; index: string }) {
  const isAlike = JSON.stringify(sides.left) === JSON.stringify(sides.right)
  const [isOpen, setOpen] = useState(isAlike)
  return (
    <div class="parameters">
      <Button aria-expanded={isOpen} icon={isOpen ? 'down' : 'right'} onClick={() => setOpen(!isOpen)}>
        {texts.lab.parameters}
      </Button>
      <div class="two">
        {SIDES.map((name) => (
          <section key={name} aria-label={texts.lab.sides[name]}>
            <h2>{texts.lab.sides[name]}</h2>
            {isOpen ? (
              <SideForm name={name} side={sides[name]} index={index} />
            ) : (
              <p class="muted side-summary">{summaryOf(sides[name])}</p>
            )}
          </section>
        ))}
      </div>
      {isAlike && <p class="muted">{texts.lab.alike}</p>}
    </div>
  )
}

function summaryOf(side: Side): string {
  const { q, index } = side
  const asked = { ...(index === '' ? {} : { index }), ...(q === '' ? {} : { q }), ...requestOf(side) }
  const parts = Object.entries(asked).map(([name, value]) => `${name}: ${printed(value)}`)
  return parts.length === 0 ? texts.lab.usual : parts.join(' · ')
}

const printed = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

interface ComparedProps {
  readonly index: string
  readonly sides: Both<Side>
  readonly wishes: readonly Wish[]
  onWishes(wishes: readonly Wish[]): void
}

function Compared({ index, sides, wishes, onWishes }: ComparedProps) {
  const shared = sharedQuery()
  const loading: Both<Loading<Found[]>> = {
    left: useSide(index, sides.left, shared),
    right: useSide(index, sides.right, shared),
  }
  const [left, right] = SIDES.map((name) => foundOn(loading[name]))
  const comparison = left && right && compare(idsOf(left), idsOf(right))
  return (
    <div class="compared">
      <input
        type="search"
        aria-label={texts.lab.query}
        placeholder={texts.lab.queryPlaceholder}
        value={shared}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => setParams({ q: event.currentTarget.value })}
      />
      <p class="differences" role="status">
        {comparison && differencesText(comparison)}
      </p>
      <div class="two">
        {SIDES.map((name) => {
          const query = queryOf(sides[name], shared)
          return (
            <section key={name} aria-label={texts.lab.hitsOf(texts.lab.sides[name])}>
              <h2 class="narrow-title">{texts.lab.sides[name]}</h2>
              <Face loading={loading[name]}>
                {(found) => (
                  <Ranked
                    label={texts.lab.hitsOf(texts.lab.sides[name])}
                    found={found}
                    marks={comparison?.[name] ?? []}
                    wanted={query === '' ? undefined : wantedFor(wishes, query)}
                    onToggle={(id) => onWishes(toggleWanted(wishes, query, id))}
                  />
                )}
              </Face>
            </section>
          )
        })}
      </div>
    </div>
  )
}

/** Nothing is compared with what was found before a side failed. */
const foundOn = ({ loaded, latest }: Loading<Found[]>): Found[] | undefined =>
  loaded.state === 'failed' ? undefined : latest

const idsOf = (found: readonly Found[]): string[] => found.map(({ id }) => id)

const wantedFor = (wishes: readonly Wish[], query: string): ReadonlySet<string> =>
  new Set(wishes.find((wish) => wish.query === query)?.wanted)

function useSide(index: string, side: Side, shared: string): Loading<Found[]> {
  const q = queryOf(side, shared)
  return useLoaded((signal) => searchOn({ index, side, q, limit: COMPARED, signal }), [index, q, JSON.stringify(side)])
}

function differencesText(comparison: Comparison): string {
  const counts = countsOf(comparison)
  const hasChanged = counts.up + counts.down + counts.new + counts.gone > 0
  return hasChanged ? texts.lab.differences(counts) : texts.lab.noDifferences
}
