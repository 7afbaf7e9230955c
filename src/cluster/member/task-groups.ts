import type { Result } from '../../errors/index.js'
import { receivedWith, type Task } from '../../tasks/index.js'
import type { AcceptedTask } from '../records/record.js'
import type { Runtime } from './runtime.js'

/** An entry that the log has taken. */
export interface SentGroup {
  /** What became of its tasks, in their order. */
  readonly answered: Promise<readonly Result<Task>[]>
}

/** Usual are single milliseconds. What comes while the log does not answer must not wait for what came before as well. */
const SLOW_MS = 200
const MAX_TASKS = 500
const MAX_PAYLOAD_BYTES = 256 * 1024

interface Waiting {
  readonly task: AcceptedTask
  readonly settle: (answered: Promise<Result<Task>>) => void
}

/**
 * Tasks that come while others are on their way to the log, until it has them, wait for the next entry together. An entry costs every server and
 * every replica of the log much the same, with one task in it or with a hundred.
 */
export class TaskGroups {
  private waiting: Waiting[] = []
  private isSending = false

  constructor(
    private readonly send: (tasks: readonly AcceptedTask[]) => Promise<SentGroup>,
    private readonly after: Runtime['after'],
  ) {}

  add(task: AcceptedTask): Promise<Result<Task>> {
    return new Promise((settle) => {
      this.waiting.push({ task, settle })
      this.sendNext()
    })
  }

  private sendNext(): void {
    if (this.isSending || this.waiting.length === 0) return
    const group = this.waiting.splice(0, this.nextSize())
    this.isSending = true
    const sent = this.send(group.map(({ task }) => task))
    for (const [place, { settle }] of group.entries()) settle(answerAt(sent, place))
    let isWaitedFor = true
    const goOn = (): void => {
      cancel()
      if (!isWaitedFor) return
      isWaitedFor = false
      this.isSending = false
      this.sendNext()
    }
    const cancel = this.after(SLOW_MS, goOn)
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
