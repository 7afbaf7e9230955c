import { setTimeout as delay } from 'node:timers/promises'
import { LEADER, type ShardServers } from './servers.js'

export const INDEX = 'books'

export interface Document {
  readonly id: string
  /** Those that are kept are as they were written at first; others come, change and go. */
  readonly kind: 'kept' | 'passing'
  readonly n: number
  readonly text: string
}

const PASSING = 500
const AT_ONCE = 20
const PAUSE_MS = 30
const FILL_AT_ONCE = 2000

const documentOf = (kind: Document['kind'], number: number, n: number): Document => ({
  id: `${kind}-${number}`,
  kind,
  n,
  text: `a red fox ${number % 17}`,
})

/** What was acknowledged, and who writes it. */
export class Documents {
  /** By id. */
  readonly expected = new Map<string, Document>()
  private last = 0
  private isOver = false
  private writing = Promise.resolve()

  constructor(
    private readonly servers: ShardServers,
    private readonly random: () => number,
    readonly keptCount: number,
  ) {}

  async fill(): Promise<void> {
    const settings = { filterableAttributes: ['kind'], pagination: { maxTotalHits: this.keptCount * 2 } }
    await this.send('PATCH', `/indexes/${INDEX}/settings`, settings)
    for (let from = 0; from < this.keptCount; from += FILL_AT_ONCE) {
      const count = Math.min(FILL_AT_ONCE, this.keptCount - from)
      await this.write(Array.from({ length: count }, (_, i) => documentOf('kept', from + i, 0)))
    }
    await this.settled()
  }

  /** Writes and deletes until `rest`. */
  start(): void {
    this.isOver = false
    this.writing = this.run()
  }

  async rest(): Promise<void> {
    this.isOver = true
    await this.writing
    await this.settled()
  }

  private async run(): Promise<void> {
    for (let n = 1; !this.isOver; n++) {
      const numbers = Array.from({ length: AT_ONCE }, () => Math.floor(this.random() * PASSING))
      if (this.random() < 0.3) await this.delete(numbers.map((number) => documentOf('passing', number, n).id))
      else await this.write(numbers.map((number) => documentOf('passing', number, n)))
      await delay(PAUSE_MS)
    }
  }

  private async write(documents: readonly Document[]): Promise<void> {
    await this.send('POST', `/indexes/${INDEX}/documents`, documents)
    for (const document of documents) this.expected.set(document.id, document)
  }

  private async delete(ids: readonly string[]): Promise<void> {
    await this.send('POST', `/indexes/${INDEX}/documents/delete-batch`, ids)
    for (const id of ids) this.expected.delete(id)
  }

  private async send(method: string, path: string, body: unknown): Promise<void> {
    this.last = (await this.servers.insist<{ taskUid: number }>(LEADER, method, path, body)).taskUid
  }

  /** Tasks end in their order. */
  private async settled(): Promise<void> {
    const bad = (await this.servers.ended(this.last)).filter(({ status }) => status !== 'succeeded')
    if (bad.length > 0) throw new Error(`a write did not succeed: ${JSON.stringify(bad)}`)
  }
}
