import { Value } from '../parts/value.js'
import { ask } from '../server/client.js'
import { useLoaded } from '../server/loaded.js'
import { texts } from '../texts/index.js'

interface Member {
  readonly name: string
  readonly url: string | null
  readonly version: string
  readonly self: boolean
  readonly isReady: boolean
  readonly isCoordinator: boolean
  readonly lag: number
}

interface Cluster {
  readonly enabled: boolean
  readonly name: string
  readonly members: readonly Member[]
  readonly problem: string | null
  readonly shards?: Readonly<Record<string, readonly string[]>>
}

const EVERY_MS = 5_000

/** The servers that keep the same data. Nothing where there is one only, or where the key may not know. */
export function ClusterPanel() {
  const { latest } = useLoaded((signal) => ask<Cluster>('get', 'cluster', { signal }).catch(() => undefined), [], {
    everyMs: EVERY_MS,
  })
  if (latest === undefined || !latest.enabled) return null
  const { name, members, problem, shards = {} } = latest
  return (
    <section class="panel" aria-label={texts.server.cluster}>
      <h2>{texts.server.clusterOf(name)}</h2>
      {problem !== null && <p class="bad">{problem}</p>}
      <div class="table-box" tabIndex={0} role="region" aria-label={texts.server.members}>
        <table>
          <thead>
            <tr>
              <th scope="col">{texts.server.member}</th>
              <th scope="col">{texts.server.address}</th>
              <th scope="col">{texts.server.state}</th>
              <th scope="col">{texts.server.lag}</th>
              <th scope="col">{texts.server.version}</th>
            </tr>
          </thead>
          <tbody>
            {members.map((member) => (
              <MemberRow key={member.name} member={member} />
            ))}
          </tbody>
        </table>
      </div>
      <Shards shards={shards} />
    </section>
  )
}

function MemberRow({ member }: { member: Member }) {
  return (
    <tr>
      <th scope="row">
        {member.name} {member.self && <span class="badge">{texts.server.self}</span>}{' '}
        {member.isCoordinator && <span class="badge">{texts.server.coordinator}</span>}
      </th>
      <td>
        <Value value={member.url ?? '–'} />
      </td>
      <td class={member.isReady ? 'good' : 'bad'}>{member.isReady ? texts.server.ready : texts.server.notReady}</td>
      <td>{texts.server.entries(member.lag)}</td>
      <td>{member.version}</td>
    </tr>
  )
}

/** Who has the documents of which part. */
export function Shards({ shards }: { shards: Readonly<Record<string, readonly string[]>> }) {
  const entries = Object.entries(shards)
  if (entries.length === 0) return null
  return (
    <>
      <h3>{texts.server.shards}</h3>
      <dl class="shards">
        {entries.map(([name, owners]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{owners.join(', ')}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}
