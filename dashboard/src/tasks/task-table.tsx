import type { Task } from 'meilisearch'
import { Fragment } from 'preact'
import { addressOf, place } from '../app/place.js'
import { texts } from '../texts/index.js'
import { StatusBadge } from './badge.js'
import { secondsOf } from './time.js'

export interface TaskTableProps {
  readonly tasks: readonly Task[]
  readonly chosen: ReadonlySet<number>
  /** Whether there is anything to choose them for. */
  readonly canChoose: boolean
  onChoose(chosen: ReadonlySet<number>): void
}

export function TaskTable({ tasks, chosen, canChoose, onChoose }: TaskTableProps) {
  const { columns } = texts.tasks
  const areAll = tasks.every(({ uid }) => chosen.has(uid))
  return (
    <table class="task-table" aria-label={texts.screens.tasks}>
      <thead>
        <tr>
          {canChoose && (
            <th>
              <input
                type="checkbox"
                aria-label={texts.tasks.chooseAll}
                checked={areAll}
                onChange={() => onChoose(new Set(areAll ? [] : tasks.map(({ uid }) => uid)))}
              />
            </th>
          )}
          <th scope="col">{columns.task}</th>
          <th scope="col">{columns.status}</th>
          <th scope="col" class="spare">
            {columns.index}
          </th>
          <th scope="col" class="spare">
            {columns.details}
          </th>
          <th scope="col" class="spare">
            {columns.enqueued}
          </th>
          <th scope="col" class="spare figure">
            {columns.duration}
          </th>
        </tr>
      </thead>
      <tbody>
        {tasks.map((task) => (
          <TaskRow
            key={task.uid}
            task={task}
            isChosen={chosen.has(task.uid)}
            onChoose={canChoose ? () => onChoose(toggled(chosen, task.uid)) : undefined}
          />
        ))}
      </tbody>
    </table>
  )
}

function TaskRow({ task, isChosen, onChoose }: { task: Task; isChosen: boolean; onChoose: (() => void) | undefined }) {
  const { uid, type, status, indexUid, enqueuedAt, duration } = task
  const seconds = secondsOf(duration)
  const params = Object.fromEntries(place.value.params)
  return (
    <tr>
      {onChoose !== undefined && (
        <td>
          <input type="checkbox" aria-label={texts.tasks.choose(uid)} checked={isChosen} onChange={onChoose} />
        </td>
      )}
      <td class="what">
        <a href={addressOf('tasks', [], { ...params, task: String(uid) })}>
          <Breakable name={type} />
        </a>
        <span class="count">{uid}</span>
        {indexUid !== null && <span class="count narrow-only">{indexUid}</span>}
      </td>
      <td>
        <StatusBadge status={status} />
      </td>
      <td class="of-index spare">{indexUid}</td>
      <td class="spare came-to">{cameTo(task)}</td>
      <td class="spare">
        <time dateTime={enqueuedAt} title={texts.tasks.exactly(enqueuedAt)}>
          {texts.tasks.moment(Date.parse(enqueuedAt))}
        </time>
      </td>
      <td class="spare figure">{seconds === undefined ? '' : texts.tasks.seconds(seconds)}</td>
    </tr>
  )
}

/** It may go on in the next line before each of its words. */
function Breakable({ name }: { name: string }) {
  return name.split(/(?=[A-Z])/).map((word, i) => (
    <Fragment key={i}>
      <wbr />
      {word}
    </Fragment>
  ))
}

/** In a few words: its error, or how many documents or tasks it was about. */
function cameTo({ error, details }: Task): string {
  if (error !== null) return error.code
  const { indexedDocuments, receivedDocuments, deletedDocuments, canceledTasks, deletedTasks } = (details ??
    {}) as Record<string, unknown>
  if (typeof indexedDocuments === 'number') return texts.tasks.indexed(indexedDocuments)
  if (typeof receivedDocuments === 'number') return texts.tasks.received(receivedDocuments)
  if (typeof deletedDocuments === 'number') return texts.tasks.deletedDocuments(deletedDocuments)
  if (typeof canceledTasks === 'number') return texts.tasks.canceledTasks(canceledTasks)
  return typeof deletedTasks === 'number' ? texts.tasks.deletedTasks(deletedTasks) : ''
}

function toggled(chosen: ReadonlySet<number>, uid: number): ReadonlySet<number> {
  const next = new Set(chosen)
  if (!next.delete(uid)) next.add(uid)
  return next
}
