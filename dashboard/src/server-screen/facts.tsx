import type { Stats } from 'meilisearch'
import { addressOf } from '../app/place.js'
import { Face } from '../parts/faces.js'
import { client } from '../server/client.js'
import { useLoaded } from '../server/loaded.js'
import { texts } from '../texts/index.js'
import { samples } from './samples.js'

const EVERY_MS = 5_000

/** What the key may not know is left out. */
interface Told {
  readonly health: string
  readonly version: string | undefined
  readonly commit: string | undefined
  readonly stats: Stats
}

async function askServer(): Promise<Told> {
  const [health, version, stats] = await Promise.all([
    client.value.health().then(
      ({ status }) => status as string,
      () => texts.server.unwell,
    ),
    client.value.getVersion().catch(() => undefined),
    client.value.getStats(),
  ])
  return { health, version: version?.pkgVersion, commit: version?.commitSha.slice(0, 7), stats }
}

export function Facts() {
  const loading = useLoaded(askServer, [], { everyMs: EVERY_MS })
  return (
    <Face loading={loading}>
      {(told) => (
        <>
          <Summary told={told} />
          <Indexes stats={told.stats} />
        </>
      )}
    </Face>
  )
}

function Summary({ told: { health, version, commit, stats } }: { told: Told }) {
  const latest = samples.value.at(-1)
  const uptimeMs = latest?.startedAtMs === undefined ? undefined : latest.atMs - latest.startedAtMs
  const entries: [string, string | undefined][] = [
    [texts.server.health, health],
    [texts.server.version, version && `${version} (${commit})`],
    [texts.server.uptime, uptimeMs === undefined ? undefined : texts.server.duration(uptimeMs)],
    [texts.server.memory, latest?.memoryBytes === undefined ? undefined : texts.bytes(latest.memoryBytes)],
    [texts.server.databaseSize, texts.bytes(stats.databaseSize)],
    [texts.server.usedSize, texts.bytes((stats as { usedDatabaseSize?: number }).usedDatabaseSize ?? 0)],
    [texts.server.lastUpdate, stats.lastUpdate ? texts.moment(String(stats.lastUpdate)) : texts.server.never],
  ]
  return (
    <dl class="tiles">
      {entries.map(
        ([name, value]) =>
          value !== undefined && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

function Indexes({ stats }: { stats: Stats }) {
  const indexes = Object.entries(stats.indexes)
  if (indexes.length === 0) return <p class="muted">{texts.server.noIndexes}</p>
  return (
    <section class="panel" aria-label={texts.server.indexes}>
      <h2>{texts.server.indexes}</h2>
      <div class="table-box" tabIndex={0} role="region" aria-label={texts.server.indexes}>
        <table>
          <thead>
            <tr>
              <th scope="col">{texts.server.index}</th>
              <th scope="col">{texts.server.documents}</th>
              <th scope="col">{texts.server.size}</th>
              <th scope="col">{texts.server.average}</th>
              <th scope="col">{texts.server.embeddings}</th>
            </tr>
          </thead>
          <tbody>
            {indexes.map(([uid, index]) => (
              <tr key={uid}>
                <th scope="row">
                  <a href={addressOf('search', [uid])}>{uid}</a>{' '}
                  {index.isIndexing && <span class="badge">{texts.server.isIndexing}</span>}
                </th>
                <td>{texts.number(index.numberOfDocuments)}</td>
                <td>{texts.bytes(index.rawDocumentDbSize)}</td>
                <td>{texts.bytes(index.avgDocumentSize)}</td>
                <td>{texts.number(index.numberOfEmbeddings)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
