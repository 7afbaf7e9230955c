import { DocumentScanner, lenientLimits, skipBlanks, strictLimits } from './document-scanner.js'
import { PendingBytes } from './pending-bytes.js'
import type { RecordWriter } from './record.js'
import { SyntaxProblem } from './syntax-problem.js'
import { INCOMPLETE } from './value-scanner.js'

type State = 'start' | 'first-or-end' | 'element' | 'after-element' | 'single' | 'after-single' | 'ignored'

/** `application/json`: a list of objects, or one object (spec 3 §2.2). */
export class JsonPayload {
  private readonly pending = new PendingBytes()
  private documents: DocumentScanner | undefined
  private state: State = 'start'

  constructor(private readonly records: RecordWriter) {}

  get offset(): number {
    return this.pending.offset
  }

  push(chunk: Uint8Array): void {
    if (this.state === 'ignored') return
    this.pending.push(chunk)
    this.pending.drain(this.step, false)
  }

  end(): void {
    this.pending.drain(this.step, true)
    if (this.state !== 'ignored' && this.state !== 'after-single') throw new SyntaxProblem('the text ends too early', 0)
  }

  /** One step: a mark, or a document. */
  private readonly step = (bytes: Uint8Array, start: number, end: number): number => {
    if (this.state === 'ignored') return end
    const at = skipBlanks(bytes, start, end)
    if (at >= end) return this.state === 'after-single' ? end : INCOMPLETE
    const mark = bytes[at]
    switch (this.state) {
      case 'start':
        return this.begin(mark, at)
      case 'first-or-end':
        if (mark === 0x5d) return this.become('ignored', at + 1)
        return this.become('element', at)
      case 'element':
      case 'single':
        return this.element(bytes, at, end)
      case 'after-element':
        // What follows the closing bracket of a list is not read (spec 3 §2.2).
        if (mark === 0x5d) return this.become('ignored', at + 1)
        if (mark === 0x2c) return this.become('element', at + 1)
        throw new SyntaxProblem('`,` or `]` was expected', at)
      default:
        throw new SyntaxProblem('there is more text after the end of the object', at)
    }
  }

  private begin(mark: number | undefined, at: number): number {
    if (mark !== 0x5b && mark !== 0x7b) throw new SyntaxProblem('neither an object nor a list of objects was found', at)
    this.documents = new DocumentScanner(this.records, mark === 0x5b ? lenientLimits : strictLimits)
    return mark === 0x5b ? this.become('first-or-end', at + 1) : this.become('single', at)
  }

  private element(bytes: Uint8Array, at: number, end: number): number {
    if (bytes[at] !== 0x7b) throw new SyntaxProblem('every element of the list must be an object', at)
    const after = this.documents!.scan(bytes, at, end)
    if (after !== INCOMPLETE) this.state = this.state === 'single' ? 'after-single' : 'after-element'
    return after
  }

  private become(state: State, at: number): number {
    this.state = state
    return at
  }
}
