import { setTimeout as delay } from 'node:timers/promises'
import type { Answer } from '../../../test/server.js'
import { INDEX } from './documents.js'
import { NAMES, type Name, type ShardServers } from './servers.js'

const EVERY_MS = 100
/** One turn in so many all documents are asked for, and compared id by id. */
const ALL_IDS_EVERY = 50
const PAGE = 50
/** Those that are asked for: pages far behind cost as much as all before them. */
const PAGES = 5
const FILTER = 'kind = kept'

interface Found {
  readonly hits?: readonly { readonly id: string }[]
  readonly results?: readonly { readonly id: string }[]
  readonly totalHits?: number
  readonly estimatedTotalHits?: number
  readonly total?: number
  readonly code?: string
  readonly remoteErrors?: Readonly<Record<string, unknown>>
}

interface Question {
  readonly path: string
  readonly body: object
  /** What is wrong with a complete answer. */
  check(found: Found): string | undefined
}

/**
 * Asks every server again and again how many of the kept documents there are. A complete answer has all of them, whatever
 * happens; as long as nobody is killed, every answer is complete.
 */
export class TotalsWatch {
  readonly problems: string[] = []
  complete = 0
  incomplete = 0
  /** Nobody is killed, nor has been a moment ago. */
  isCalm = true
  private isOver = false
  private readonly watching: Promise<void>[]
  /** Servers that have heard of the index. */
  private readonly joined = new Set<Name>()

  constructor(
    private readonly servers: ShardServers,
    private readonly count: number,
    private readonly random: () => number,
  ) {
    this.watching = NAMES.map((name) => this.watch(name))
  }

  async stop(): Promise<void> {
    this.isOver = true
    await Promise.all(this.watching)
  }

  /** Every server answers completely. */
  async untilComplete(names: readonly Name[]): Promise<void> {
    for (const name of names) while (!(await this.askOne(name, this.fetchTotal()))) await delay(EVERY_MS)
  }

  private async watch(name: Name): Promise<void> {
    for (let turn = 0; !this.isOver; turn++) {
      const next = delay(EVERY_MS)
      const questions = [this.pageOfHits(), this.estimate(), this.fetchTotal()]
      if (turn % ALL_IDS_EVERY === 0) questions.push(this.allIds())
      await Promise.all([next, ...questions.map((question) => this.askOne(name, question))])
    }
  }

  /** Whether the answer was complete. */
  private async askOne(name: Name, { path, body, check }: Question): Promise<boolean> {
    const wasCalm = this.isCalm
    const answer = await this.servers.ask<Found>(name, 'POST', `/indexes/${INDEX}/${path}`, body)
    if (answer?.status === 404 && !this.joined.has(name)) return false
    const missing = await this.missingIn(name, answer)
    if (missing !== undefined) {
      this.incomplete++
      if (wasCalm && this.isCalm) this.problems.push(`${name} ${path}: ${missing}`)
      return false
    }
    this.joined.add(name)
    this.complete++
    const problem = check(answer!.body)
    if (problem !== undefined) this.problems.push(`${name} ${path} ${JSON.stringify(body)}: ${problem}`)
    return true
  }

  private async missingIn(name: Name, answer: Answer<Found> | undefined): Promise<string | undefined> {
    if (answer === undefined) return 'no answer'
    if (answer.status !== 200) return answer.text
    const errors = answer.body.remoteErrors ?? {}
    for (const remote of Object.keys(errors)) await this.servers.forgive(name, remote as Name)
    return Object.keys(errors).length === 0 ? undefined : JSON.stringify(errors)
  }

  private pageOfHits(): Question {
    const page = 1 + Math.floor(this.random() * PAGES)
    return {
      path: 'search',
      body: { filter: FILTER, page, hitsPerPage: PAGE },
      check: ({ hits = [], totalHits }) => {
        const ids = new Set(hits.map(({ id }) => id))
        if (totalHits !== this.count) return `totalHits ${totalHits}, not ${this.count}`
        return ids.size === PAGE && hits.length === PAGE ? undefined : `${hits.length} hits, ${ids.size} differ`
      },
    }
  }

  private estimate(): Question {
    return {
      path: 'search',
      body: { filter: FILTER, limit: 1 },
      check: ({ estimatedTotalHits: total }) =>
        total === this.count ? undefined : `estimatedTotalHits ${total}, not ${this.count}`,
    }
  }

  private fetchTotal(): Question {
    return {
      path: 'documents/fetch',
      body: { filter: FILTER, limit: 1 },
      check: ({ total }) => (total === this.count ? undefined : `total ${total}, not ${this.count}`),
    }
  }

  private allIds(): Question {
    return {
      path: 'documents/fetch',
      body: { filter: FILTER, limit: this.count * 2, fields: ['id'] },
      check: ({ results = [] }) => {
        const ids = new Set(results.map(({ id }) => id))
        const isWhole = ids.size === this.count && results.length === this.count
        return isWhole ? undefined : `${results.length} documents, ${ids.size} differ, not ${this.count}`
      },
    }
  }
}
