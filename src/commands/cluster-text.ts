import type { ClusterView } from '../server/index.js'

const HEAD = ['member', 'ready', 'coordinator', 'registered', 'carried out', 'lag', 'heard', 'version', 'url']

/** A cluster for people: what is wrong comes last, where it is seen. */
export function clusterText(view: ClusterView): string {
  const rows = view.members.map((member) => [
    member.name,
    member.isReady ? 'yes' : 'NO',
    member.isCoordinator ? 'yes' : '',
    `${member.registered}`,
    `${member.carriedOut}`,
    `${member.lag}`,
    member.self ? 'asked' : heard(member.silentMs),
    member.version,
    member.url ?? '',
  ])
  const problems = clusterProblems(view).map((problem) => `! ${problem}`)
  return [
    `Cluster ${view.name}, as ${view.node} sees it`,
    ...table([HEAD, ...rows]),
    logLine(view),
    ...shardLines(view),
    ...problems,
    '',
  ].join('\n')
}

/** What an operator has to look after. Empty when everything is as it should be. */
export function clusterProblems(view: ClusterView): string[] {
  const { members, log, coordinator, node, problem } = view
  return [
    ...(problem === null ? [] : [`${node} cannot go on with the data it has: ${problem}`]),
    ...members.filter(({ isReady }) => !isReady).map(({ name }) => `${name} is not ready`),
    ...(hasMajority(log) ? [] : ['the log has no majority of its nats-servers: nothing can be written']),
    ...(log.replicas ?? []).filter(({ isOffline }) => isOffline).map(({ name }) => `nats-server ${name} is offline`),
    ...(coordinator === null ? ['there is no coordinator: tasks wait'] : []),
    ...lostShards(view).map(
      (name) => `no server with shard ${name} is ready: its documents are not found, and tasks wait`,
    ),
  ]
}

function lostShards({ members, shards = {} }: ClusterView): string[] {
  const ready = new Set(members.filter(({ isReady }) => isReady).map(({ name }) => name))
  return Object.keys(shards).filter((name) => !shards[name]!.some((owner) => ready.has(owner)))
}

function shardLines({ shards = {}, shardChange = null }: ClusterView): string[] {
  const owned = Object.entries(shards).map(([name, owners]) => `${name} on ${owners.join(', ')}`)
  return [
    ...(owned.length === 0 ? [] : [`Shards: ${owned.join('; ')}`]),
    ...(shardChange === null ? [] : [`Shards are being changed by task ${shardChange}`]),
  ]
}

/** Whether the cluster as a whole does what it is for: every server may be asked, and the log takes writes. */
export function isWell({ members, log }: ClusterView): boolean {
  return members.every(({ isReady }) => isReady) && hasMajority(log)
}

function hasMajority({ leader, replicas }: ClusterView['log']): boolean {
  if (leader === null || replicas === null) return false
  return replicas.filter(({ isOffline }) => !isOffline).length * 2 > replicas.length
}

function logLine({ log }: ClusterView): string {
  const { leader, replicas, firstSequence, lastSequence, bytes, blobBytes } = log
  if (leader === null || replicas === null)
    return `Log up to ${lastSequence}, as far as it is known: nobody answers for it`
  const current = replicas.filter(({ isCurrent, isOffline }) => isCurrent && !isOffline).length
  const sizes = `${megabytes(bytes)} and ${megabytes(blobBytes)} of blobs`
  return `Log ${firstSequence} to ${lastSequence}, ${sizes}; ${leader} leads, ${current} of ${replicas.length} replicas current`
}

const megabytes = (bytes: number | null): string => `${((bytes ?? 0) / 1e6).toFixed(1)} MB`

/** Reports come twice a second, so less than a second says nothing. */
const heard = (silentMs: number): string => (silentMs < 1_000 ? 'now' : `${Math.floor(silentMs / 1_000)} s ago`)

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  )
}
