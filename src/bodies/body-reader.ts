import { ok, type Result } from '../errors/index.js'
import { PayloadIntake } from '../payload/index.js'
import type { BodyOutcome, BodyQuestion, Progress } from './body-protocol.js'
import { digestBody } from './digest.js'

/** What the body thread does, one question after the other. */
export class BodyReader {
  private readonly uploads = new Map<number, PayloadIntake>()

  answer(question: BodyQuestion): BodyOutcome {
    switch (question.ask) {
      case 'digest':
        return digestBody(question.request, question.bytes)
      case 'open':
        this.uploads.set(question.upload, new PayloadIntake(question.format))
        return undefined
      case 'push':
        return this.push(question.upload, question.bytes)
      case 'end':
        return this.end(question.upload)
      case 'drop':
        this.uploads.delete(question.upload)
        return undefined
    }
  }

  private push(upload: number, bytes: Uint8Array): Result<Progress> {
    const intake = this.uploads.get(upload)!
    const pushed = intake.push(bytes)
    return pushed.ok ? ok({ records: intake.take(), count: undefined }) : pushed
  }

  private end(upload: number): Result<Progress> {
    const intake = this.uploads.get(upload)!
    const ended = intake.end()
    return ended.ok ? ok({ records: intake.take(), count: ended.value }) : ended
  }
}
