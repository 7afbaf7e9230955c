import type { Task } from '../model/task.js'

/** A task before and after: new without `before`, deleted without `after`. */
export interface TaskChange {
  readonly before?: Task
  readonly after?: Task
}

/** Puts a uid on the list of a name. */
export function append(lists: Map<string, number[]>, name: string, uid: number): void {
  const list = lists.get(name)
  if (list === undefined) lists.set(name, [uid])
  else list.push(uid)
}
