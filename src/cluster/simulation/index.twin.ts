import { createHash } from 'node:crypto'
import type { BatchDecision, Task } from '../../tasks/index.js'
import type { OpenFolder } from './folder.fake.js'

/** What a batch comes to, not yet on disk. */
export interface Prepared extends Required<Pick<BatchDecision, 'endings' | 'digest'>> {
  readonly id: string
}

const CONTENT = Buffer.from('content')
const BATCH = Buffer.from('batch')
const COUNT = Buffer.from('count')

/**
 * An index whose content is a hash of everything that was ever done to it. It is a folder of its own, so a batch may be in it
 * whose tasks are not finished: the index remembers its last batch.
 */
export class IndexTwin {
  private readonly database

  constructor(private readonly folder: OpenFolder) {
    this.database = folder.database('index')
  }

  /** Undefined if this batch was the last one. */
  prepare(id: string, tasks: readonly Task[]): Prepared | undefined {
    if (this.database.get(BATCH)?.toString() === id) return undefined
    let digest = this.database.get(CONTENT)?.toString() ?? ''
    const endings = tasks.map(({ uid, content }) => {
      digest = createHash('sha256')
        .update(digest)
        .update(`${uid} ${JSON.stringify(content)}`)
        .digest('hex')
      return { ok: true, results: { indexedDocuments: Number.parseInt(digest.slice(0, 8), 16) } } as const
    })
    return { id, endings, digest }
  }

  async commit({ id, digest }: Prepared): Promise<void> {
    await this.folder.write(() => {
      this.database.put(CONTENT, Buffer.from(digest))
      this.database.put(BATCH, Buffer.from(id))
      this.database.put(COUNT, Buffer.from(String(this.batches + 1)))
    })
  }

  /** How many batches were committed. */
  get batches(): number {
    return Number(this.database.get(COUNT)?.toString() ?? 0)
  }
}
