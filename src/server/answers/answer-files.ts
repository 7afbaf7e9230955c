import { close } from 'node:fs'
import type { AnswerFile } from '../../answer/index.js'
import { failureSaying, ok, type Result } from '../../errors/index.js'
import { type FileAnswer, jsonFile } from './answer.js'

/** Large answers that may be on their way at the same time: each takes room on the disk until its client has read it. */
const MAX_FILES = 32

/** Counts the answers that are sent from files. */
export class AnswerFiles {
  private count = 0

  constructor(private readonly maxFiles = MAX_FILES) {}

  /** Takes the file over: it is closed when the answer was sent, or at once when there are too many. */
  answerWith({ descriptor, sizeBytes }: AnswerFile): Result<FileAnswer> {
    if (this.count >= this.maxFiles) {
      close(descriptor)
      return { ok: false, failure: failureSaying('too_many_search_requests', tooMany(this.maxFiles)) }
    }
    this.count++
    const letGo = () => {
      this.count--
      close(descriptor)
    }
    return ok(jsonFile(200, { descriptor, sizeBytes, close: letGo }))
  }
}

const tooMany = (maxFiles: number): string =>
  `${maxFiles} answers of several megabytes are being read by their clients, which is the limit: try again in a few seconds, or ask for less at once.`
