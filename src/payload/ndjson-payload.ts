import { DocumentScanner, lenientLimits, skipBlanks } from './document-scanner.js'
import { PendingBytes } from './pending-bytes.js'
import type { RecordWriter } from './record.js'
import { SyntaxProblem } from './syntax-problem.js'

/** `application/x-ndjson`: objects with any blanks, or none, between them (spec 3 §2.3). */
export class NdjsonPayload {
  private readonly pending = new PendingBytes()
  private readonly documents: DocumentScanner

  constructor(records: RecordWriter) {
    this.documents = new DocumentScanner(records, lenientLimits)
  }

  get offset(): number {
    return this.pending.offset
  }

  push(chunk: Uint8Array): void {
    this.pending.push(chunk)
    this.pending.drain(this.step, false)
  }

  end(): void {
    this.pending.drain(this.step, true)
    if (!this.pending.isEmpty) throw new SyntaxProblem('the text ends inside an object', 0)
  }

  private readonly step = (bytes: Uint8Array, start: number, end: number): number => {
    const at = skipBlanks(bytes, start, end)
    if (at >= end) return end
    if (bytes[at] !== 0x7b) throw new SyntaxProblem('an object was expected', at)
    return this.documents.scan(bytes, at, end)
  }
}
