import { INCOMPLETE } from './value-scanner.js'

/** Takes one step from `at` and returns how far it came, or `INCOMPLETE` when it needs more bytes. */
export type ScanSome = (bytes: Uint8Array, at: number, end: number) => number

/**
 * Joins the chunks of a body for a scanner that needs whole documents. A document that is not complete is scanned
 * again only when twice as many bytes are there, so that a huge one costs no more than a few scans.
 */
export class PendingBytes {
  /** Bytes of the body that lie before the pending ones. */
  offset = 0
  private chunks: Uint8Array[] = []
  private size = 0
  private wanted = 1

  push(chunk: Uint8Array): void {
    this.chunks.push(chunk)
    this.size += chunk.length
  }

  get isEmpty(): boolean {
    return this.size === 0
  }

  /** Lets `scan` run over the pending bytes as often as it makes progress. */
  drain(scan: ScanSome, isLast: boolean): void {
    if (this.size === 0 || (this.size < this.wanted && !isLast)) return
    const bytes = this.chunks.length === 1 ? this.chunks[0]! : Buffer.concat(this.chunks)
    let at = 0
    while (at < bytes.length) {
      const next = scan(bytes, at, bytes.length)
      if (next === INCOMPLETE) break
      at = next
    }
    const rest = bytes.subarray(at)
    this.offset += at
    this.size = rest.length
    this.chunks = rest.length === 0 ? [] : [rest]
    this.wanted = 2 * rest.length
  }
}
