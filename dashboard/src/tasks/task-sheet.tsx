import type { Batch, Task } from 'meilisearch'
import { addressOf } from '../app/place.js'
import { Button } from '../parts/button.js'
import { Dialog } from '../parts/dialog.js'
import { Face, isWebAddress } from '../parts/faces.js'
import { Value } from '../parts/value.js'
import { useLive } from '../server/live.js'
import { texts } from '../texts/index.js'
import { StatusBadge } from './badge.js'
import { BatchProgress } from './batch-progress.js'
import { type Change, isUnfinished, readBatch, readTask } from './query.js'
import { secondsOf } from './time.js'

const PACE_MS = 1_000

interface Opened {
  readonly task: Task
  readonly batch: Batch | undefined
}

export interface TaskSheetProps {
  readonly uid: number
  /** What the key may do with it. */
  readonly allowed: ReadonlySet<Change>
  onChange(change: Change, task: Task): void
  onClose(): void
}

/** Everything about one task, and the batch it ran in. It is looked at until it is finished. */
export function TaskSheet({ uid, allowed, onChange, onClose }: TaskSheetProps) {
  const live = useLive(
    (signal) => open(uid, signal),
    [uid],
    (opened) => (opened !== undefined && isUnfinished(opened.task) ? PACE_MS : undefined),
  )
  const task = live.latest?.task
  const change = task !== undefined && isUnfinished(task) ? 'cancel' : 'delete'
  const actions = task !== undefined && allowed.has(change) && (
    <Button kind="danger" onClick={() => onChange(change, task)}>
      {texts.tasks.changeThis[change]}
    </Button>
  )
  return (
    <Dialog title={texts.tasks.task(uid)} onClose={onClose} isSheet actions={actions || undefined}>
      <Face loading={live}>
        {(opened) => (
          <>
            <TaskError task={opened.task} />
            {/* Its error stands above. */}
            <Members of={opened.task} without={['uid', 'error']} />
            {opened.batch !== undefined && <BatchOf batch={opened.batch} />}
          </>
        )}
      </Face>
    </Dialog>
  )
}

async function open(uid: number, signal: AbortSignal): Promise<Opened> {
  const task = await readTask(uid, signal)
  // A batch that was stopped leaves no record.
  const batch = task.batchUid === null ? undefined : await readBatch(task.batchUid, signal).catch(() => undefined)
  return { task, batch }
}

function TaskError({ task: { error } }: { task: Task }) {
  if (error === null) return null
  return (
    <div class="task-error">
      <p class="value">{error.message}</p>
      <p>
        <code>{error.code}</code>
        {' · '}
        <code>{error.type}</code>
        {error.link !== undefined && isWebAddress(error.link) && (
          <>
            {' · '}
            <a href={error.link} target="_blank" rel="noreferrer noopener">
              {texts.failures.more}
            </a>
          </>
        )}
      </p>
    </div>
  )
}

/** All that the server tells of it. */
function Members({ of, without = [] }: { of: object; without?: readonly string[] }) {
  return (
    <dl class="members">
      {Object.entries(of)
        .filter(([name]) => !without.includes(name))
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Member name={name} value={value} />
            </dd>
          </div>
        ))}
    </dl>
  )
}

function Member({ name, value }: { name: string; value: unknown }) {
  if (name === 'status' && typeof value === 'string') return <StatusBadge status={value as Task['status']} />
  if (name === 'details' && typeof value === 'object' && value !== null) return <Members of={value} />
  if (name.endsWith('At') && typeof value === 'string')
    return <time dateTime={value}>{texts.tasks.exactly(value)}</time>
  const seconds = name === 'duration' && typeof value === 'string' ? secondsOf(value) : undefined
  return seconds === undefined ? <Value value={value} /> : <span>{texts.tasks.seconds(seconds)}</span>
}

function BatchOf({ batch }: { batch: Batch }) {
  const { progressTrace, ...stats } = batch.stats
  const trace = Object.entries((progressTrace ?? {}) as Record<string, unknown>)
  return (
    <section class="batch-of">
      <h3>
        {texts.tasks.batch(batch.uid)}{' '}
        <a href={addressOf('tasks', [], { batch: String(batch.uid) })}>{texts.tasks.ofThisBatch}</a>
      </h3>
      <BatchProgress batch={batch} />
      <Members of={batch} without={['uid', 'progress', 'stats']} />
      <h3>{texts.tasks.stats}</h3>
      <Members of={stats} />
      {trace.length > 0 && (
        <>
          <h3>{texts.tasks.trace}</h3>
          <dl class="trace">
            {trace.map(([step, time]) => (
              <div key={step}>
                <dt>{step}</dt>
                <dd>{String(time)}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </section>
  )
}
