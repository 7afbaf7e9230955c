import { useState } from 'preact/hooks'
import { Button, IconButton } from '../parts/button.js'
import { Dialog } from '../parts/dialog.js'
import { Empty } from '../parts/faces.js'
import { Field, TextArea, TextField } from '../parts/field.js'
import { downloadJson, JsonFileButton } from '../parts/file.js'
import { sayDone, sayFailed } from '../parts/toasts.js'
import { texts } from '../texts/index.js'
import type { Run } from './run.js'
import { isPassed, type Outcome, type Summary, summaryOf } from './scores.js'
import { DEEPEST } from './searches.js'
import { SIDES } from './sides.js'
import { readWishes, USUAL_AMONG, type Wish, withWish } from './wanted.js'

export interface WishListProps {
  readonly index: string
  readonly wishes: readonly Wish[]
  readonly run: Run
  onWishes(wishes: readonly Wish[]): void
  /** Lays the hits of a query side by side. */
  onOpen(query: string): void
}

/** Queries with the documents that they should find, and what both sides make of them. */
export function WishList({ index, wishes, run, onWishes, onOpen }: WishListProps) {
  const [edited, setEdited] = useState<Wish | undefined>()
  const words = texts.lab.wishes
  const take = (file: unknown) => {
    const read = readWishes(file)
    if (read === undefined) return sayFailed(new Error(words.noWishes))
    onWishes(read.reduce((all, wish) => withWish(all, wish), [...wishes]))
    sayDone(words.imported(read.length))
  }
  return (
    <section class="wishes" aria-label={words.title}>
      <div class="wishes-actions">
        <Button kind="primary" isBusy={run.isRunning} disabled={wishes.length === 0} onClick={() => run.start(wishes)}>
          {run.isRunning ? words.running : words.run}
        </Button>
        <Button icon="plus" onClick={() => setEdited({ query: '', wanted: [], among: USUAL_AMONG })}>
          {words.add}
        </Button>
        <Button
          icon="download"
          disabled={wishes.length === 0}
          onClick={() => downloadJson(`${index}-queries.json`, wishes)}
        >
          {words.export}
        </Button>
        <JsonFileButton label={words.import} onValue={take} />
      </div>
      {wishes.length === 0 ? (
        <Empty icon="lab" title={words.empty}>
          <p class="muted">{words.emptyHelp}</p>
        </Empty>
      ) : (
        <>
          <Summaries wishes={wishes} run={run} />
          <ul class="wish-list">
            {wishes.map((wish) => (
              <li key={wish.query}>
                <WishRow
                  wish={wish}
                  run={run}
                  onOpen={() => onOpen(wish.query)}
                  onEdit={() => setEdited(wish)}
                  onRemove={() => {
                    document.getElementById('main')?.focus()
                    onWishes(wishes.filter((each) => each !== wish))
                  }}
                />
              </li>
            ))}
          </ul>
        </>
      )}
      {edited !== undefined && (
        <WishDialog
          wish={edited}
          onClose={() => setEdited(undefined)}
          onWish={(next) => {
            onWishes(withWish(renamed(wishes, edited, next.query), next))
            setEdited(undefined)
          }}
        />
      )}
    </section>
  )
}

/** The one that is edited keeps its place, with another query. */
const renamed = (wishes: readonly Wish[], edited: Wish, query: string): Wish[] =>
  wishes
    .filter((each) => each === edited || each.query !== query)
    .map((each) => (each === edited ? { ...each, query } : each))

function Summaries({ wishes, run }: { wishes: readonly Wish[]; run: Run }) {
  return (
    <div class="summaries" role="status">
      {SIDES.map((name) => {
        const summary = summaryOf(wishes, run.outcomes[name])
        return summary === undefined ? null : <SummaryText key={name} title={texts.lab.sides[name]} {...summary} />
      })}
    </div>
  )
}

function SummaryText({ title, queries, passed, found, meanReciprocalRank }: Summary & { title: string }) {
  const words = texts.lab.wishes
  const facts = [
    [words.passed, `${passed} / ${queries}`],
    [words.found, `${Math.round(found * 100)} %`],
    [words.meanReciprocalRank, meanReciprocalRank.toFixed(3)],
  ]
  return (
    <div class="summary">
      <h2>{title}</h2>
      <dl>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

interface WishRowProps {
  readonly wish: Wish
  readonly run: Run
  onOpen(): void
  onEdit(): void
  onRemove(): void
}

function WishRow({ wish, run, onOpen, onEdit, onRemove }: WishRowProps) {
  const words = texts.lab.wishes
  return (
    <>
      <div class="wish-head">
        <button type="button" class="link" onClick={onOpen}>
          {wish.query === '' ? words.everything : wish.query}
        </button>
        <span class="muted">{words.wants(wish.wanted.length, wish.among)}</span>
      </div>
      <div class="wish-outcomes">
        {SIDES.map((name) => {
          const outcome = run.outcomes[name].get(wish.query)
          return outcome === undefined ? null : (
            <p key={name}>
              <span class="muted">{texts.lab.sides[name]}</span> <OutcomeText wish={wish} outcome={outcome} />
            </p>
          )
        })}
      </div>
      <div class="wish-actions">
        <IconButton icon="edit" label={words.edit(wish.query)} onClick={onEdit} />
        <IconButton icon="trash" label={words.remove(wish.query)} onClick={onRemove} />
      </div>
    </>
  )
}

const MOST_PLACES = 20

function OutcomeText({ wish, outcome }: { wish: Wish; outcome: Outcome }) {
  const words = texts.lab.wishes
  if (outcome.state === 'failed')
    return (
      <span class="mark-text down">
        {outcome.failure.message} <code>{outcome.failure.code}</code>
      </span>
    )
  const hasPassed = isPassed(wish, outcome)
  const places = wish.wanted.slice(0, MOST_PLACES).map((id, i) => {
    const place = outcome.places[i]
    return place === undefined ? words.beyond(id, DEEPEST) : words.at(id, place)
  })
  return (
    <>
      <span class={`mark-text ${hasPassed ? 'up' : 'down'}`}>{hasPassed ? words.passes : words.fails}</span>{' '}
      <span class="value">{places.join(', ')}</span>
    </>
  )
}

function WishDialog({ wish, onWish, onClose }: { wish: Wish; onWish(wish: Wish): void; onClose(): void }) {
  const [query, setQuery] = useState(wish.query)
  const [ids, setIds] = useState(wish.wanted.join('\n'))
  const [among, setAmong] = useState(String(wish.among))
  const words = texts.lab.wishes
  const wanted = [...new Set(ids.split('\n').map((id) => id.trim()))].filter((id) => id !== '')
  const isWhole = wanted.length > 0 && Number.isSafeInteger(Number(among)) && Number(among) > 0
  const actions = (
    <>
      <Button onClick={onClose}>{texts.common.cancel}</Button>
      <Button kind="primary" disabled={!isWhole} onClick={() => onWish({ query, wanted, among: Number(among) })}>
        {words.keep}
      </Button>
    </>
  )
  return (
    <Dialog title={words.dialog} onClose={onClose} actions={actions}>
      <TextField label={words.query} value={query} onText={setQuery} />
      <TextArea label={words.ids} help={words.idsHelp} value={ids} isCode onText={setIds} />
      <Field label={words.among}>
        {(field) => (
          <input
            {...field}
            type="number"
            min={1}
            value={among}
            onInput={(event) => setAmong(event.currentTarget.value)}
          />
        )}
      </Field>
    </Dialog>
  )
}
