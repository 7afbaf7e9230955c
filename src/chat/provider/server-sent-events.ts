import { providerError } from './problem.js'

/** Events hold a few words each; one this long is no answer of a model. */
const MAX_EVENT_CHARACTERS = 4 * 1024 * 1024

/**
 * The data of the events of a stream, whose bytes may be cut anywhere. What is not `data` is passed over, and so is an
 * event that is not finished when the stream ends (HTML standard, "Server-sent events").
 */
export class EventReader {
  private readonly lines = new LineReader()
  private readonly event = new PendingEvent()

  /** The data of the events that end in these bytes. */
  add(chunk: Uint8Array): string[] {
    const events: string[] = []
    for (const line of this.lines.add(chunk)) {
      const data = this.event.add(line)
      if (data !== undefined) events.push(data)
    }
    return events
  }

  /** To be called at the end of the stream: complains about a character that was cut off. */
  end(): void {
    this.lines.end()
  }
}

/** Lines end with CR, LF or both. */
class LineReader {
  private readonly decoder = new TextDecoder('utf-8', { fatal: true })
  private rest: string[] = []
  private restLength = 0
  private endsWithReturn = false

  add(chunk: Uint8Array): string[] {
    let text = this.decode(chunk)
    // The second half of an end of line that was seen already.
    if (this.endsWithReturn && text !== '') {
      this.endsWithReturn = false
      if (text.startsWith('\n')) text = text.slice(1)
    }
    if (text.endsWith('\r')) this.endsWithReturn = true
    const lines = text.split(/\r\n|\r|\n/)
    const last = lines.pop()!
    if (lines.length > 0) {
      lines[0] = this.rest.join('') + lines[0]
      this.rest = []
      this.restLength = 0
    }
    this.keep(last)
    return lines
  }

  end(): void {
    this.decode()
  }

  private keep(text: string): void {
    this.rest.push(text)
    this.restLength += text.length
    if (this.restLength > MAX_EVENT_CHARACTERS) throw tooLong()
  }

  private decode(chunk?: Uint8Array): string {
    try {
      return this.decoder.decode(chunk, { stream: chunk !== undefined })
    } catch {
      throw providerError('remote_bad_response', 'The provider sent bytes that are not UTF-8.')
    }
  }
}

class PendingEvent {
  private data: string[] = []
  private length = 0

  /** The data of the event that this line ends. */
  add(line: string): string | undefined {
    if (line === '') return this.take()
    const colon = line.indexOf(':')
    const field = colon === -1 ? line : line.slice(0, colon)
    if (field !== 'data') return undefined
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    this.data.push(value)
    this.length += value.length + 1
    if (this.length > MAX_EVENT_CHARACTERS) throw tooLong()
    return undefined
  }

  private take(): string | undefined {
    if (this.data.length === 0) return undefined
    const data = this.data.join('\n')
    this.data = []
    this.length = 0
    return data
  }
}

const tooLong = () =>
  providerError('remote_bad_response', `The provider sent an event of more than ${MAX_EVENT_CHARACTERS} characters.`)
