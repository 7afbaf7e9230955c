import { go, place, setParams } from '../app/place.js'
import type { ScreenProps } from '../app/screens.js'
import { Button } from '../parts/button.js'
import { Empty, Face } from '../parts/faces.js'
import { Facts } from '../parts/facts.js'
import { Select } from '../parts/field.js'
import { client } from '../server/client.js'
import { useLoaded } from '../server/loaded.js'
import { texts } from '../texts/index.js'
import { SimilarDocuments } from './similar-documents.js'
import './vectors.css'

type Config = Readonly<Record<string, unknown>>

interface Vectors {
  readonly embedders: readonly (readonly [name: string, config: Config])[]
  readonly documents: number
  readonly embeddedDocuments: number
  readonly embeddings: number
}

const LOOK_EVERY_MS = 5_000

/** What turns documents into vectors, how far it has come, and what is near to what. */
export default function VectorsScreen({ index }: ScreenProps) {
  const loading = useLoaded(() => vectorsOf(index), [index], { everyMs: LOOK_EVERY_MS })
  return (
    <div class="vectors-screen">
      <h1>{texts.vectors.title(index)}</h1>
      <Face loading={loading}>
        {(vectors) =>
          vectors.embedders.length === 0 ? <NoEmbedders index={index} /> : <Full index={index} vectors={vectors} />
        }
      </Face>
    </div>
  )
}

async function vectorsOf(uid: string): Promise<Vectors> {
  const index = client.value.index(uid)
  const [embedders, stats] = await Promise.all([index.getEmbedders(), index.getStats()])
  return {
    embedders: Object.entries((embedders ?? {}) as Record<string, Config>),
    documents: stats.numberOfDocuments,
    embeddedDocuments: stats.numberOfEmbeddedDocuments,
    embeddings: stats.numberOfEmbeddings,
  }
}

function NoEmbedders({ index }: { index: string }) {
  return (
    <Empty icon="vectors" title={texts.vectors.none}>
      <p class="muted">{texts.vectors.noneHelp}</p>
      <Button onClick={() => go('settings', [index])}>{texts.vectors.toSettings}</Button>
    </Empty>
  )
}

function Full({ index, vectors }: { index: string; vectors: Vectors }) {
  const { embedders, documents, embeddedDocuments, embeddings } = vectors
  const names = embedders.map(([name]) => name)
  const embedder = place.value.params.get('embedder') ?? names[0]!
  return (
    <>
      <section aria-label={texts.vectors.progress}>
        <p>{texts.vectors.embedded(embeddedDocuments, documents, embeddings)}</p>
        <progress max={Math.max(1, documents)} value={embeddedDocuments} aria-label={texts.vectors.progress} />
      </section>
      <ul class="embedders">
        {embedders.map(([name, config]) => (
          <li key={name} class="card">
            <h2>{name}</h2>
            {/* Whatever it has: sources have different settings. */}
            <Facts entries={Object.entries(config)} />
          </li>
        ))}
      </ul>
      <section class="similar" aria-label={texts.vectors.similar}>
        <h2>{texts.vectors.similar}</h2>
        {names.length > 1 && (
          <Select
            label={texts.search.embedder}
            value={embedder}
            choices={names.map((name) => ({ value: name, text: name }))}
            onChoose={(chosen) => setParams({ embedder: chosen })}
          />
        )}
        <SimilarDocuments index={index} embedder={embedder} />
      </section>
    </>
  )
}
