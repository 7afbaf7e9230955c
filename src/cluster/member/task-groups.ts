import type { Result } from '../../errors/index.js'
import { receivedWith, type Task } from '../../tasks/index.js'
import type { AcceptedTask } from '../records/record.js'

/** An entry that the log has taken. */
export interface SentGroup {
  /** What became of its tasks, in their order. */
  readonly answered: Promise<readonly Result<Task>[]>
}

/** A second one is on its way while the first is being acknowledged. More would make groups small. */
const MAX_SENT = 2
const MAX_TASKS = 500
const MAX_PAYLOAD_BYTES = 256 * 1024

interface Waiting {
  readonly task: AcceptedTask
  readonly settle: (answered: Promise<Result<Task>>) => void
}

/**
 * Tasks that come while others are on their way to the log wait for the next entry together. An entry costs every server and
 * every replica of the log much the same, with one task in it or with a hundred.
 */
export class TaskGroups {
  private waiting: Waiting[] = []
  private sent = 0

  constructor(private readonly send: (tasks: readonly AcceptedTask[]) => Promise<SentGroup>) {}

  add(task: AcceptedTask): Promise<Result<Task>> {
    return new Promise((settle) => {
      this.waiting.push({ task, settle })
      this.sendNext()
    })
  }

  private sendNext(): void {
    if (this.sent === MAX_SENT || this.waiting.length === 0) return
    const group = this.waiting.splice(0, this.nextSize())
    this.sent++
    const sent = this.send(group.map(({ task }) => task))
    for (const [place, { settle }] of group.entries()) settle(answerAt(sent, place))
    const goOn = (): void => {
      this.sent--
      this.sendNext()
    }
    sent.then(goOn, goOn)
  }

  private nextSize(): number {
    let bytes = 0
    const end = this.waiting.findIndex(({ task }, place) => {
      bytes += payloadBytes(task)
      return place === MAX_TASKS || (place > 0 && bytes > MAX_PAYLOAD_BYTES)
    })
    return end === -1 ? this.waiting.length : end
  }
}

async function answerAt(sent: Promise<SentGroup>, place: number): Promise<Result<Task>> {
  const { answered } = await sent
  return (await answered)[place]!
}

function payloadBytes({ content }: AcceptedTask): number {
  const payload = receivedWith(content)
  return payload?.place === 'inline' ? payload.content.length : 0
}
