import type { Batch, Task } from 'meilisearch'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type Failure, failureOf, isAborted } from '../server/failure.js'
import { isUnfinished, readBatch, readTask } from '../tasks/query.js'
import { unlessRefused } from './changes.js'
import { type Destination, sendFile } from './upload.js'

const PACE_MS = 300

/** How far a file is on its way into the index. */
export type Stage =
  | { readonly state: 'waiting' }
  | { readonly state: 'sending'; readonly share: number }
  | { readonly state: 'enqueued'; readonly taskUid: number }
  /** The key may not see what becomes of it. */
  | { readonly state: 'sent' }
  | { readonly state: 'indexing'; readonly taskUid: number; readonly batch: Batch | undefined }
  | { readonly state: 'done'; readonly taskUid: number; readonly documents: number }
  | { readonly state: 'failed'; readonly failure: Failure }

export interface UploadRun {
  /** One for each file; empty until they are sent. */
  readonly stages: readonly Stage[]
  readonly isRunning: boolean
  send(files: readonly File[], destination: Destination): Promise<void>
}

/** Sends files one after the other and follows each until it is indexed. What is being sent is given up with the dialog. */
export function useUpload(): UploadRun {
  const [stages, setStages] = useState<readonly Stage[]>([])
  const [isRunning, setRunning] = useState(false)
  const controller = useRef(new AbortController())
  useEffect(() => () => controller.current.abort(), [])
  const send = async (files: readonly File[], destination: Destination) => {
    setRunning(true)
    setStages(files.map(() => ({ state: 'waiting' })))
    for (const [i, file] of files.entries()) {
      if (controller.current.signal.aborted) return
      const say = (stage: Stage) => setStages((before) => before.map((each, j) => (i === j ? stage : each)))
      await sendAndFollow(file, destination, say, controller.current.signal)
    }
    setRunning(false)
  }
  return { stages, isRunning, send }
}

async function sendAndFollow(file: File, to: Destination, say: (stage: Stage) => void, signal: AbortSignal) {
  try {
    say({ state: 'sending', share: 0 })
    const { taskUid } = await sendFile(file, to, (share) => say({ state: 'sending', share }), signal)
    say({ state: 'enqueued', taskUid })
    say(await followed(taskUid, say, signal))
  } catch (error) {
    if (!isAborted(error)) say({ state: 'failed', failure: failureOf(error) })
  }
}

async function followed(taskUid: number, say: (stage: Stage) => void, signal: AbortSignal): Promise<Stage> {
  for (;;) {
    const task = await readTask(taskUid, signal).catch(unlessRefused)
    if (task === undefined) return { state: 'sent' }
    if (!isUnfinished(task)) return endOf(task)
    if (task.status === 'processing') {
      // A batch may be over between the two questions.
      const batch = task.batchUid === null ? undefined : await readBatch(task.batchUid, signal).catch(() => undefined)
      say({ state: 'indexing', taskUid, batch })
    }
    await new Promise((resolve) => setTimeout(resolve, PACE_MS))
  }
}

function endOf({ uid, status, error, details }: Task): Stage {
  if (error !== null)
    return {
      state: 'failed',
      failure: { code: error.code, message: error.message, link: error.link, status: undefined },
    }
  if (status !== 'succeeded')
    return { state: 'failed', failure: { code: status, message: '', link: undefined, status: undefined } }
  return { state: 'done', taskUid: uid, documents: details?.indexedDocuments ?? 0 }
}
