import type { Batch, Task } from 'meilisearch'
import { ask } from '../server/client.js'
import { type Failure, failureOf } from '../server/failure.js'
import { access } from '../server/overview.js'
import type { SettingName } from './model.js'

/** How far the server is. */
export interface Progress {
  readonly taskUid: number
  readonly isRunning: boolean
  /** 0 to 100, where it is known. */
  readonly percentage: number | undefined
  /** What it does now, in its own words. */
  readonly step: string | undefined
}

const POLL_MS = 250

/** Sends the changes and follows them to their end. The failure of the request or of the task, or nothing. */
export async function save(
  index: string,
  patch: Record<string, unknown>,
  onProgress: (progress: Progress) => void,
): Promise<Failure | undefined> {
  try {
    const path = `indexes/${encodeURIComponent(index)}/settings`
    const { taskUid } = await ask<{ taskUid: number }>('patch', path, { body: patch })
    onProgress({ taskUid, isRunning: false, percentage: undefined, step: undefined })
    return mayFollow() ? await follow(taskUid, onProgress) : undefined
  } catch (error) {
    return failureOf(error)
  }
}

/** Otherwise nobody knows here when a task is done. */
export function mayFollow(): boolean {
  const current = access.value
  return current.state === 'open' && current.overview.may.has('tasks')
}

async function follow(taskUid: number, onProgress: (progress: Progress) => void): Promise<Failure | undefined> {
  for (;;) {
    const { status, error, batchUid } = await ask<Task>('get', `tasks/${taskUid}`)
    if (status === 'succeeded') return undefined
    if (error) return { code: error.code, message: error.message, link: error.link, status: undefined }
    if (status === 'canceled') return { code: status, message: `Task ${taskUid}`, link: undefined, status: undefined }
    const isRunning = status === 'processing'
    const batch = isRunning && batchUid !== null ? await ask<Batch>('get', `batches/${batchUid}`) : undefined
    onProgress({ taskUid, isRunning, ...shareOf(batch) })
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

/** Until the first part is done nothing is known of how long it takes. */
function shareOf(batch: Batch | undefined): Pick<Progress, 'percentage' | 'step'> {
  const { percentage = 0, steps = [] } = batch?.progress ?? {}
  const step = steps.at(-1)
  return {
    percentage: percentage === 0 ? undefined : percentage,
    step: step && `${step.currentStep} ${step.finished} / ${step.total}`,
  }
}

/** Codes that are not named after their setting. */
const OTHER_CODES: Readonly<Record<string, SettingName>> = {
  invalid_settings_index_chat: 'chat',
  invalid_chat_setting_document_template: 'chat',
  vector_embedding_error: 'embedders',
  invalid_document_fields: 'embedders',
  invalid_document_geo_field: 'filterableAttributes',
}

const FEATURES: readonly SettingName[] = ['embedders', 'chat', 'foreignKeys']

/** Which of the changed settings a failure is about; undefined where it may be about any. */
export function settingOf({ code }: Failure, changed: readonly SettingName[]): SettingName | undefined {
  if (code === 'feature_not_enabled') {
    const possible = changed.filter((name) => FEATURES.includes(name))
    return possible.length === 1 ? possible[0] : undefined
  }
  const named = code
    .replace(/^invalid_settings_/, '')
    .replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase()) as SettingName
  return changed.find((name) => name === (OTHER_CODES[code] ?? named))
}
