import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { PayloadSeal } from './payload-file.js'
import type { PayloadSink } from './receive.js'

/** Payloads up to this size stay in memory, unless another one is given; larger ones get a file and an fsync. */
export const INLINE_BYTES = 32 * 1024

const PIECE_BYTES = 1 << 20

/** What became of a payload that was received: still in memory, or in a file that is on disk. */
export type ReceivedPayload =
  | { readonly place: 'inline'; readonly content: Buffer }
  /** `bytes`: without the seal that the file ends with. */
  | { readonly place: 'file'; readonly name: string; readonly bytes: number }

/** The folder of payloads that wait for being used. */
export class PayloadFiles {
  constructor(
    private readonly folder: string,
    private readonly inlineBytes = INLINE_BYTES,
  ) {
    mkdirSync(folder, { recursive: true })
  }

  pathOf(name: string): string {
    return join(this.folder, name)
  }

  receive(): PayloadReceiver {
    return new PayloadReceiver(this.folder, this.inlineBytes)
  }

  async delete(name: string): Promise<void> {
    await rm(this.pathOf(name), { force: true })
  }

  /** Removes files that no task refers to: their requests were never answered. */
  deleteOthers(kept: ReadonlySet<string>): void {
    for (const name of readdirSync(this.folder)) if (!kept.has(name)) rmSync(this.pathOf(name), { force: true })
  }
}

/** Takes the records of one payload. Small ones stay in memory; the first overflow opens a file. */
export class PayloadReceiver implements PayloadSink {
  private parts: Buffer[] = []
  private bytes = 0
  private readonly seal = new PayloadSeal()
  private file: { readonly name: string; readonly handle: FileHandle } | undefined

  constructor(
    private readonly folder: string,
    private readonly inlineBytes: number,
  ) {}

  async write(bytes: Uint8Array): Promise<void> {
    this.bytes += bytes.length
    if (this.file === undefined && this.bytes <= this.inlineBytes) {
      this.parts.push(Buffer.from(bytes))
      return
    }
    if (this.file === undefined) await this.openFile()
    await this.append(this.file!.handle, bytes)
  }

  /** Durable when it resolves, as far as a file is concerned. */
  async finish(): Promise<ReceivedPayload> {
    const { parts } = this
    if (this.file === undefined)
      return { place: 'inline', content: parts.length === 1 ? parts[0]! : Buffer.concat(parts) }
    const { handle, name } = this.file
    await handle.writeFile(this.seal.bytes())
    await handle.sync()
    await handle.close()
    await syncFolder(this.folder)
    return { place: 'file', name, bytes: this.bytes }
  }

  /** The request failed: nothing of the payload stays. */
  async discard(): Promise<void> {
    if (this.file === undefined) return
    await this.file.handle.close().catch(() => {})
    await rm(join(this.folder, this.file.name), { force: true })
  }

  private async openFile(): Promise<void> {
    const name = randomUUID()
    const handle = await open(join(this.folder, name), 'wx')
    this.file = { name, handle }
    for (const part of this.parts) await this.append(handle, part)
    this.parts = []
  }

  /** In pieces, so that others get their turn while a long one is added to the seal. */
  private async append(handle: FileHandle, bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      const piece = bytes.subarray(at, at + PIECE_BYTES)
      this.seal.add(piece)
      await handle.writeFile(piece)
    }
  }
}

/** A new file survives a power loss only when its folder was synced too. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
