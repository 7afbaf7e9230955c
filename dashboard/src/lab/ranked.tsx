import { Button } from '../parts/button.js'
import { Empty } from '../parts/faces.js'
import { Value } from '../parts/value.js'
import { lookOf } from '../search/looks.js'
import { texts } from '../texts/index.js'
import type { Mark } from './compare.js'
import type { Found } from './searches.js'

export interface RankedProps {
  readonly label: string
  readonly found: readonly Found[]
  readonly marks: readonly (Mark | undefined)[]
  /** Undefined where there is no query that a document could be wanted for. */
  readonly wanted: ReadonlySet<string> | undefined
  onToggle(id: string): void
}

const MOST_CHARACTERS = 120

/** Hits in their order, each with what the other side made of it. */
export function Ranked({ label, found, marks, wanted, onToggle }: RankedProps) {
  if (found.length === 0) return <Empty icon="search" title={texts.search.nothing} />
  return (
    <ol class="ranked" aria-label={label}>
      {found.map(({ id, hit }, i) => (
        <li key={id} class={marks[i]?.kind}>
          <span class="rank">{i + 1}</span>
          <div class="ranked-body">
            <strong>
              <Title hit={hit} />
            </strong>
            <span class="muted">
              <Value value={id} most={MOST_CHARACTERS} />
            </span>
          </div>
          <div class="ranked-facts">
            {marks[i] !== undefined && <MarkText mark={marks[i]} />}
            <span class="muted" title={texts.search.score}>
              {(hit._rankingScore as number | undefined)?.toFixed(3)}
            </span>
          </div>
          {wanted !== undefined && (
            <Button
              kind="quiet"
              icon={wanted.has(id) ? 'check' : 'plus'}
              aria-pressed={wanted.has(id)}
              aria-label={texts.lab.want(id.slice(0, MOST_CHARACTERS))}
              onClick={() => onToggle(id)}
            >
              {texts.lab.wantShort}
            </Button>
          )}
        </li>
      ))}
    </ol>
  )
}

function Title({ hit }: { hit: Found['hit'] }) {
  const { title } = lookOf(hit, null)
  return <Value value={title === undefined ? texts.lab.noTitle : hit[title]} most={MOST_CHARACTERS} />
}

function MarkText({ mark }: { mark: Mark }) {
  const text = 'by' in mark ? texts.lab.marks[mark.kind](mark.by) : texts.lab.marks[mark.kind]
  return <span class={`mark-text ${mark.kind}`}>{text}</span>
}
