import { randomUUID } from 'node:crypto'
import { closeSync, mkdirSync, openSync, unlinkSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { AnswerFile, AnswerOverflow } from '../answer/index.js'
import { BudgetSpent } from '../threads/index.js'

/** Nobody reads a larger answer, and the disk is needed for documents. */
const MAX_ANSWER_BYTES = 4 * 2 ** 30

/**
 * A file for an answer that is too large to be held. It loses its name at once: whatever happens to the process, nothing
 * is left of it when nobody has it open any more.
 */
export function openAnswerOverflow(folder: string): AnswerOverflow {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `answer-${randomUUID()}`)
  const descriptor = openSync(path, 'wx+')
  try {
    unlinkSync(path)
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
  return new OverflowFile(descriptor)
}

class OverflowFile implements AnswerOverflow {
  private sizeBytes = 0

  constructor(private readonly descriptor: number) {}

  write(bytes: Uint8Array): void {
    if (this.sizeBytes + bytes.length > MAX_ANSWER_BYTES) throw new BudgetSpent('its answer has more than 4 GiB')
    for (let at = 0; at < bytes.length; ) at += writeSync(this.descriptor, bytes, at)
    this.sizeBytes += bytes.length
  }

  finish(): AnswerFile {
    const { descriptor, sizeBytes } = this
    return { descriptor, sizeBytes }
  }

  discard(): void {
    closeSync(this.descriptor)
  }
}
