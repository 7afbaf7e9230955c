import type { Hits } from 'meilisearch'
import { useState } from 'preact/hooks'
import { place, setParams } from '../app/place.js'
import { Button } from '../parts/button.js'
import { Empty, Failed, Waiting } from '../parts/faces.js'
import { TextField } from '../parts/field.js'
import { Value } from '../parts/value.js'
import { lookOf } from '../search/looks.js'
import { client } from '../server/client.js'
import { useLoaded } from '../server/loaded.js'
import { primaryKeyOf } from '../server/overview.js'
import { texts } from '../texts/index.js'

const MOST = 20

/** The documents that mean nearly the same as one, nearest first. Each of them can be asked about in turn. */
export function SimilarDocuments({ index, embedder }: { index: string; embedder: string }) {
  const asked = place.value.params.get('id') ?? ''
  const [id, setId] = useState(asked)
  return (
    <>
      <form
        class="similar-form"
        onSubmit={(event) => {
          event.preventDefault()
          setParams({ id })
        }}
      >
        <TextField label={texts.vectors.id} value={id} onText={setId} required />
        <Button type="submit" kind="primary">
          {texts.vectors.find}
        </Button>
      </form>
      {asked !== '' && (
        <Near
          index={index}
          embedder={embedder}
          id={asked}
          onAsk={(next) => {
            setId(next)
            setParams({ id: next })
          }}
        />
      )}
    </>
  )
}

function Near({
  index,
  embedder,
  id,
  onAsk,
}: {
  index: string
  embedder: string
  id: string
  onAsk(id: string): void
}) {
  const { loaded, reload } = useLoaded(
    () => client.value.index(index).searchSimilarDocuments({ id, embedder, limit: MOST, showRankingScore: true }),
    [index, embedder, id],
  )
  if (loaded.state === 'loading') return <Waiting />
  if (loaded.state === 'failed') return <Failed failure={loaded.failure} onRetry={reload} />
  const { hits } = loaded.value
  if (hits.length === 0) return <Empty icon="vectors" title={texts.vectors.nothingNear} />
  return (
    <ol class="near">
      {hits.map((hit) => (
        <NearDocument
          key={JSON.stringify(hit[primaryKeyOf(index) ?? ''])}
          hit={hit}
          primaryKey={primaryKeyOf(index)}
          onAsk={onAsk}
        />
      ))}
    </ol>
  )
}

function NearDocument({
  hit,
  primaryKey,
  onAsk,
}: {
  hit: Hits[number]
  primaryKey: string | null
  onAsk(id: string): void
}) {
  const { title } = lookOf(hit, primaryKey)
  const id = primaryKey === null ? undefined : String(hit[primaryKey])
  return (
    <li>
      <span class="score">{(hit._rankingScore as number).toFixed(3)}</span>
      <span>{title === undefined ? id : <Value value={hit[title]} />}</span>
      {id !== undefined && (
        <button type="button" class="link" onClick={() => onAsk(id)}>
          {texts.vectors.similarTo(id)}
        </button>
      )}
    </li>
  )
}
