import { setTimeout as sleep } from 'node:timers/promises'
import type { Member } from '../../cluster/index.js'
import { type ClusterServers, type NetworkStore, readTopologyState } from '../../state/index.js'
import type { Ballot, Poll, TaskQueue, Vote, Voters } from '../../tasks/index.js'
import { JobCancelled } from '../../threads/index.js'

export interface AskingParts {
  readonly member: Member
  readonly servers: ClusterServers
  readonly network: NetworkStore
  readonly tasks: () => TaskQueue
}

const RETRY_MS = 500

/** Whose votes are needed. */
interface Electorate {
  /** All of these. */
  readonly all: readonly string[]
  /** And one of each of these. */
  readonly anyOf: readonly (readonly string[])[]
}

/** Asks the other servers to prepare a batch, where they have other documents than this one. */
export function clusterVoters(parts: AskingParts): Voters {
  return {
    ask(ballot) {
      const electorate = electorateOf(ballot, parts)
      const isAlone = electorate.all.length === 0 && electorate.anyOf.length === 0
      if (isAlone) return undefined
      const { lastBatch: after, lastRegistered: registered } = parts.member
      return new MemberPoll({ ...ballot, after, registered }, electorate, parts)
    },
  }
}

function electorateOf({ tasks: [first] }: Pick<Ballot, 'tasks'>, { network, servers, tasks }: AskingParts): Electorate {
  const task = tasks().store.get(first!)
  const known = servers.urls()
  // Documents of a server that was removed from the cluster are gone with it, if nobody else has them.
  const isOther = (name: string): boolean => name !== servers.self && known.has(name)
  if (task?.content.type === 'networkTopologyChange') {
    const { before, after } = readTopologyState(task.content.state)!
    // Where all had all documents nobody has anything to hand over.
    if (before === null) return { all: [], anyOf: [] }
    const owners = new Set([...before.shards.values(), ...after.shards.values()].flat())
    return { all: [...owners].filter(isOther), anyOf: [] }
  }
  const owners = [...(network.inForce?.shards.values() ?? [])]
  const foreign = owners.filter((names) => !names.includes(servers.self)).map((names) => names.filter(isOther))
  return { all: [], anyOf: foreign.filter((names) => names.length > 0) }
}

/** Every server is asked at once, and again until enough have voted. Whoever has voted holds what it prepared until the end. */
class MemberPoll implements Poll {
  readonly votes: Promise<readonly Vote[]>
  private readonly controller = new AbortController()
  private readonly cast = new Map<string, Vote>()
  private settle!: { resolve(votes: readonly Vote[]): void; reject(reason: Error): void }

  constructor(
    private readonly ballot: Ballot,
    private readonly electorate: Electorate,
    private readonly parts: AskingParts,
  ) {
    this.votes = new Promise((resolve, reject) => void (this.settle = { resolve, reject }))
    // Whoever prepares the batch here may fail before it asks for them.
    this.votes.catch(() => {})
    for (const [name, url] of parts.servers.urls()) {
      if (name !== parts.servers.self) void this.ask(name, url)
    }
    void this.watch()
  }

  end(): void {
    this.controller.abort()
    this.settle.reject(new JobCancelled())
  }

  /** Who does not decide any more need not know. */
  private async watch(): Promise<void> {
    while (!this.controller.signal.aborted) {
      if (!this.parts.member.isCoordinator) return this.end()
      await sleep(RETRY_MS, undefined, { ref: false })
    }
  }

  private async ask(name: string, url: string): Promise<void> {
    const { signal } = this.controller
    while (!signal.aborted) {
      try {
        await this.exchange(name, url)
      } catch {
        // It is away, or not there yet. If its vote is needed, it is asked again.
      }
      if (signal.aborted) return
      this.cast.delete(name)
      await sleep(RETRY_MS, undefined, { ref: false })
      // What it had prepared is gone with the connection, and so are documents that were meant for it: all begin anew.
      if (this.electorate.all.includes(name)) return this.end()
    }
  }

  /** Resolves when the connection ends. */
  private async exchange(name: string, url: string): Promise<void> {
    const { key } = this.parts.servers
    const answer = await fetch(new URL('/cluster/ballots', url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key === null ? {} : { authorization: `Bearer ${key}` }) },
      body: JSON.stringify(this.ballot),
      signal: this.controller.signal,
    })
    if (!answer.ok || answer.body === null) throw new Error(`status ${answer.status}`)
    let text = ''
    const decoder = new TextDecoder()
    for await (const piece of answer.body) {
      if (this.cast.has(name)) continue
      text = (text + decoder.decode(piece, { stream: true })).trimStart()
      if (text.endsWith('\n')) this.note(name, JSON.parse(text) as Vote)
    }
  }

  private note(name: string, vote: Vote): void {
    this.cast.set(name, vote)
    const isCast = (each: string): boolean => this.cast.has(each)
    const isWhole = (each: string): boolean => isCast(each) && !this.cast.get(each)!.isPartial
    const { all, anyOf } = this.electorate
    // Where nobody has all documents of a shard, those that are left count.
    const isEnough = all.every(isCast) && anyOf.every((names) => names.some(isWhole) || names.every(isCast))
    if (isEnough || vote.failed !== undefined) this.settle.resolve([...this.cast.values()])
  }
}
