import { randomUUID } from 'node:crypto'
import type { CallPiece } from '../provider/chunk.js'
import { providerError } from '../provider/problem.js'
import { SEARCH_TOOL } from './tools.js'

/** A search that the model asks for. */
export interface ToolCall {
  readonly id: string
  /** JSON, if the model keeps to the rules. */
  readonly argumentsText: string
}

const MAX_CALLS = 128
const MAX_CHARACTERS = 1024 * 1024

interface Pending {
  readonly index: number
  id: string
  name: string
  readonly pieces: string[]
}

/** Puts together the calls of one answer, whose pieces come in any number of chunks (spec 7 §5.6). */
export class PendingCalls {
  private calls: Pending[] = []
  private characters = 0

  get isEmpty(): boolean {
    return this.calls.length === 0
  }

  add(pieces: readonly CallPiece[]): void {
    for (const piece of pieces) {
      const call = this.callOf(piece)
      if (call.id === '') call.id = piece.id ?? ''
      if (call.name === '') call.name = piece.name ?? ''
      call.pieces.push(piece.arguments)
      this.characters += piece.arguments.length
    }
    if (this.calls.length > MAX_CALLS || this.characters > MAX_CHARACTERS) {
      const limits = `${MAX_CALLS} searches with ${MAX_CHARACTERS} characters`
      throw providerError('remote_bad_response', `The model asks for more than ${limits} at once.`)
    }
  }

  /** The searches, by their numbers. Calls of other functions are not ours to answer. */
  take(): ToolCall[] {
    const searches = this.calls.filter(({ name }) => name === SEARCH_TOOL).sort((a, b) => a.index - b.index)
    this.calls = []
    this.characters = 0
    return searches.map(({ id, pieces }) => ({ id: id === '' ? randomUUID() : id, argumentsText: pieces.join('') }))
  }

  /** Some providers give every call the same number, and only the ids tell them apart. */
  private callOf({ index, id, name }: CallPiece): Pending {
    const known = this.calls.findLast((call) => call.index === index)
    const isAnother = known !== undefined && name !== null && id !== null && id !== '' && id !== known.id
    if (known !== undefined && !(isAnother && known.id !== '')) return known
    const call = { index, id: '', name: '', pieces: [] }
    this.calls.push(call)
    return call
  }
}
