import { createReadStream } from 'node:fs'
import { access, open, rename, rm } from 'node:fs/promises'
import type { BlobRef, ReplicatedLog } from '../log/model.js'

/** Long payloads travel as blobs and are files on every server, under the same name. */
export class PayloadExchange {
  private readonly underWay = new Map<string, Promise<void>>()

  constructor(private readonly log: () => Promise<ReplicatedLog>) {}

  async put(path: string): Promise<BlobRef> {
    return (await this.log()).putBlob(createReadStream(path, { highWaterMark: 1 << 20 }))
  }

  /** Does nothing where the file is there: it gets its name when it is whole. */
  async fetch(path: string, ref: BlobRef): Promise<void> {
    const known = this.underWay.get(path)
    if (known !== undefined) return known
    const fetching = this.fetchOnce(path, ref).finally(() => this.underWay.delete(path))
    this.underWay.set(path, fetching)
    return fetching
  }

  private async fetchOnce(path: string, ref: BlobRef): Promise<void> {
    if (await isThere(path)) return
    const part = `${path}.part`
    try {
      await this.write(part, ref)
      await rename(part, path)
    } catch (error) {
      await rm(part, { force: true })
      throw error
    }
  }

  private async write(path: string, ref: BlobRef): Promise<void> {
    const log = await this.log()
    const file = await open(path, 'w')
    try {
      for await (const piece of log.openBlob(ref)) await file.writeFile(piece)
      await file.sync()
    } finally {
      await file.close()
    }
  }
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
