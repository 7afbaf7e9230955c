import { Face } from '../parts/faces.js'
import { Value } from '../parts/value.js'
import { ask } from '../server/client.js'
import { failureOf, isUnauthorized } from '../server/failure.js'
import { useLoaded } from '../server/loaded.js'
import { texts } from '../texts/index.js'
import { Shards } from './cluster.js'

interface Network {
  readonly self: string | null
  readonly leader: string | null
  readonly remotes: Readonly<Record<string, { readonly url: string; readonly status?: string }>>
  readonly shards: Readonly<Record<string, { readonly remotes: readonly string[] }>>
}

const EVERY_MS = 5_000

/** Null where the key may not know. */
async function readNetwork(signal: AbortSignal): Promise<Network | null> {
  try {
    return await ask<Network>('get', 'network', { signal })
  } catch (error) {
    if (isUnauthorized(failureOf(error))) return null
    throw error
  }
}

export function NetworkPanel() {
  const loading = useLoaded(readNetwork, [], { everyMs: EVERY_MS })
  if (loading.latest === null) return null
  return (
    <section class="panel" aria-label={texts.server.network}>
      <h2>{texts.server.network}</h2>
      <Face loading={loading}>{(network) => network && <Remotes network={network} />}</Face>
    </section>
  )
}

function Remotes({ network: { self, leader, remotes, shards } }: { network: Network }) {
  const entries = Object.entries(remotes)
  if (entries.length === 0) return <p class="muted">{texts.server.noRemotes}</p>
  return (
    <>
      <div class="table-box" tabIndex={0} role="region" aria-label={texts.server.network}>
        <table>
          <thead>
            <tr>
              <th scope="col">{texts.server.member}</th>
              <th scope="col">{texts.server.address}</th>
              <th scope="col">{texts.server.state}</th>
            </tr>
          </thead>
          <tbody>
            {entries.map(([name, { url, status = '–' }]) => (
              <tr key={name}>
                <th scope="row">
                  {name} {name === self && <span class="badge">{texts.server.self}</span>}{' '}
                  {name === leader && <span class="badge">{texts.server.leader}</span>}
                </th>
                <td>
                  <Value value={url} />
                </td>
                <td class={status === 'unavailable' ? 'bad' : ''}>{status}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Shards shards={Object.fromEntries(Object.entries(shards).map(([name, { remotes }]) => [name, remotes]))} />
    </>
  )
}
