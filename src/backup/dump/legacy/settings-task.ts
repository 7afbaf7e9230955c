import { isObject, parse, print } from '../../../json/index.js'
import type { DumpedTask } from '../read-task.js'
import { settingsFromOld } from './old-settings.js'

/** A task that changes settings in the old form does the same in the present one. */
export function settingsOfTask(task: DumpedTask, warn: (line: string) => void): DumpedTask {
  const { content } = task
  if (content.type !== 'settingsUpdate') return task
  const parsed = parse(content.settings, 1024)
  if (!parsed.ok || !isObject(parsed.value)) return task
  return { ...task, content: { ...content, settings: print(settingsFromOld(parsed.value, warn)) } }
}
