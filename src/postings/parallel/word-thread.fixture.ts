import { Worker } from 'node:worker_threads'
import { WordThread, type WordThreadOptions } from './word-thread.js'

type StartWorker = NonNullable<WordThreadOptions['startWorker']>

/** The real thread, compiled on the way. */
export const startTestWorker: StartWorker = (options) => {
  const file = JSON.stringify(new URL('./words-worker.ts', import.meta.url).href)
  const code = `import('tsx/esm/api').then(({ tsImport }) => tsImport(${file}, ${file}))`
  return new Worker(code, { ...options, eval: true })
}

/** A thread that runs `code` instead. */
export const startCode =
  (code: string): StartWorker =>
  (options) =>
    new Worker(code, { ...options, eval: true })

export const testWordThread = (options: WordThreadOptions = {}): WordThread =>
  new WordThread({ startWorker: startTestWorker, ...options })
