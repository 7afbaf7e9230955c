import type { Hits } from 'meilisearch'
import { Dialog } from '../parts/dialog.js'
import { Face } from '../parts/faces.js'
import { Facts } from '../parts/facts.js'
import { client } from '../server/client.js'
import { useLoaded } from '../server/loaded.js'
import { texts } from '../texts/index.js'
import { type Query, requestOf } from './query.js'

/** The details of a rule of `_rankingScoreDetails`, whichever it is. */
type Rule = Readonly<Record<string, unknown>> & { readonly order: number; readonly score?: number }

interface WhyProps {
  readonly index: string
  readonly query: Query
  readonly hit: Hits[number]
  readonly primaryKey: string
  onClose(): void
}

/** Rule by rule, as the server counted them. */
export function Why({ index, query, hit, primaryKey, onClose }: WhyProps) {
  const id = hit[primaryKey]
  const loading = useLoaded(async () => {
    // The page on which it stands, once more: ids cannot be filtered by in every index.
    const { q, ...rest } = requestOf(query, [])
    const asked = { ...rest, showRankingScore: true, showRankingScoreDetails: true }
    const { hits } = await client.value.index(index).search(q, asked)
    return hits.find((each) => each[primaryKey] === id) ?? hit
  }, [index, id])
  return (
    <Dialog title={texts.search.whyTitle(String(id))} onClose={onClose} isSheet>
      <Face loading={loading}>{(found) => <Rules hit={found} />}</Face>
    </Dialog>
  )
}

function Rules({ hit }: { hit: Hits[number] }) {
  const details = (hit._rankingScoreDetails ?? {}) as Record<string, Rule>
  const rules = Object.entries(details).sort((a, b) => a[1].order - b[1].order)
  return (
    <>
      <p class="total-score">
        <strong>{(hit._rankingScore as number | undefined)?.toFixed(4)}</strong> {texts.search.score}
      </p>
      {rules.length === 0 && <p class="muted">{texts.search.noRules}</p>}
      <ol class="rules">
        {rules.map(([name, rule]) => (
          <li key={name}>
            <div class="rule-head">
              <h3>{name}</h3>
              {rule.score !== undefined && <span>{rule.score.toFixed(3)}</span>}
            </div>
            {rule.score !== undefined && <meter min={0} max={1} value={rule.score} aria-label={name} />}
            <p class="muted">{(texts.search.rules as Record<string, string>)[name] ?? texts.search.otherRule}</p>
            <Facts
              class="rule-facts"
              entries={Object.entries(rule).filter(([key]) => key !== 'order' && key !== 'score')}
            />
          </li>
        ))}
      </ol>
    </>
  )
}
