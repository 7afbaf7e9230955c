import type { Task } from 'meilisearch'
import { useEffect, useState } from 'preact/hooks'
import { go, place, setParams } from '../app/place.js'
import { Button } from '../parts/button.js'
import { Confirm } from '../parts/dialog.js'
import { Empty, Face } from '../parts/faces.js'
import { sayDone, sayFailed } from '../parts/toasts.js'
import { useLive } from '../server/live.js'
import { useMay, type WrongRequest } from '../server/may.js'
import { texts } from '../texts/index.js'
import { BatchProgress } from './batch-progress.js'
import { Charts } from './charts.js'
import { Filters } from './filters.js'
import {
  type Change,
  isFiltered,
  look,
  request,
  type Seen,
  type Selection,
  selectByFilter,
  selectByHand,
  type TaskFilter,
  taskFilter,
} from './query.js'
import { TaskSheet } from './task-sheet.js'
import { TaskTable } from './task-table.js'
import './tasks.css'

const RUNNING_MS = 1_000
const QUIET_MS = 3_000

/** Without a filter both are refused: by those who may not, or for the lack of it. */
const WITHOUT_FILTER: Readonly<Record<Change, WrongRequest>> = {
  cancel: { method: 'post', path: 'tasks/cancel' },
  delete: { method: 'delete', path: 'tasks' },
}

interface Asked {
  readonly change: Change
  readonly selection: Selection
}

export default function TasksScreen() {
  const filter = taskFilter()
  const from = place.value.params.get('from') ?? ''
  const text = JSON.stringify([filter, from])
  const live = useLive(
    (signal) => look(filter, from, signal),
    [text],
    (seen) => (seen !== undefined && seen.unfinished > 0 ? RUNNING_MS : QUIET_MS),
  )
  const allowed = useMay(WITHOUT_FILTER)
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const [asked, setAsked] = useState<Asked | undefined>()
  useEffect(() => setChosen(new Set()), [text])
  const opened = place.value.params.get('task')
  const done = () => {
    // A task that is deleted cannot be looked at.
    if (asked?.change === 'delete') setParams({ task: undefined })
    setAsked(undefined)
    setChosen(new Set())
    live.reload()
  }
  return (
    <div class="tasks-screen">
      <h1>{texts.screens.tasks}</h1>
      <Filters filter={filter} />
      <Face loading={live}>
        {(seen) => (
          <>
            <Running seen={seen} />
            {seen.page.results.length === 0 ? (
              <NoTasks filter={filter} />
            ) : (
              <>
                <Charts tasks={seen.page.results} />
                <Changes filter={filter} tasks={seen.page.results} chosen={chosen} allowed={allowed} onAsk={setAsked} />
                <TaskTable
                  tasks={seen.page.results}
                  chosen={chosen}
                  canChoose={allowed.size > 0}
                  onChoose={setChosen}
                />
              </>
            )}
            <Pages seen={seen} from={from} />
          </>
        )}
      </Face>
      {opened !== null && /^\d+$/.test(opened) && (
        <TaskSheet
          key={opened}
          uid={Number(opened)}
          allowed={allowed}
          onChange={(change, task) => setAsked({ change, selection: selectByHand(change, [task]) })}
          onClose={() => setParams({ task: undefined })}
        />
      )}
      {asked !== undefined && <Ask asked={asked} onDone={done} onClose={() => setAsked(undefined)} />}
    </div>
  )
}

function NoTasks({ filter }: { filter: TaskFilter }) {
  const isAny = !isFiltered(filter)
  return (
    <Empty icon="tasks" title={isAny ? texts.tasks.none : texts.tasks.noneFound}>
      <p class="muted">{isAny ? texts.tasks.noneHelp : texts.tasks.noneFoundHelp}</p>
    </Empty>
  )
}

function Running({ seen: { running, unfinished } }: { seen: Seen }) {
  return (
    <section class="running" aria-label={texts.tasks.running}>
      <p role="status">{unfinished === 0 ? texts.tasks.idle : texts.tasks.unfinished(unfinished)}</p>
      {running !== undefined && (
        <>
          <h2>{texts.tasks.runningBatch(running.uid, running.stats.totalNbTasks)}</h2>
          <BatchProgress batch={running} />
        </>
      )}
    </section>
  )
}

interface ChangesProps {
  readonly filter: TaskFilter
  readonly tasks: readonly Task[]
  readonly chosen: ReadonlySet<number>
  readonly allowed: ReadonlySet<Change>
  onAsk(asked: Asked): void
}

/** To those that were chosen; where none were, to all that the filter lets through. */
function Changes({ filter, tasks, chosen, allowed, onAsk }: ChangesProps) {
  const select = async (change: Change) => {
    try {
      const byHand = tasks.filter(({ uid }) => chosen.has(uid))
      const selection = chosen.size > 0 ? selectByHand(change, byHand) : await selectByFilter(change, filter)
      if (selection.count === 0) sayDone(texts.tasks.nothingTo[change])
      else onAsk({ change, selection })
    } catch (error) {
      sayFailed(error)
    }
  }
  const words = chosen.size > 0 ? 'chosen' : isFiltered(filter) ? 'filtered' : 'all'
  return (
    <div class="task-changes">
      {(['cancel', 'delete'] as const)
        .filter((change) => allowed.has(change))
        .map((change) => (
          <Button key={change} icon={change === 'cancel' ? 'close' : 'trash'} onClick={() => void select(change)}>
            {texts.tasks.changes[change][words](chosen.size)}
          </Button>
        ))}
    </div>
  )
}

function Ask({ asked, onDone, onClose }: { asked: Asked; onDone(): void; onClose(): void }) {
  const [isBusy, setBusy] = useState(false)
  const { change, selection } = asked
  const confirm = async () => {
    setBusy(true)
    try {
      const { taskUid } = await request(change, selection)
      sayDone(texts.tasks.asked(taskUid))
      onDone()
    } catch (error) {
      sayFailed(error)
      onClose()
    }
  }
  return (
    <Confirm
      title={texts.tasks.confirm[change].title(selection.count)}
      text={texts.tasks.confirm[change].text}
      action={texts.tasks.confirm[change].action(selection.count)}
      isBusy={isBusy}
      onConfirm={() => void confirm()}
      onClose={onClose}
    />
  )
}

/** A step in the history each, so that the browser leads back. */
function Pages({ seen: { page }, from }: { seen: Seen; from: string }) {
  const { next, results, total } = page
  const turn = (uid: number | undefined) =>
    go('tasks', [], { ...Object.fromEntries(place.value.params), from: uid?.toString() })
  if (next === null && from === '') return null
  return (
    <nav class="task-pages" aria-label={texts.tasks.pages}>
      <Button disabled={from === ''} onClick={() => turn(undefined)}>
        {texts.tasks.newest}
      </Button>
      <span>{texts.tasks.shown(results.length, total)}</span>
      <Button disabled={next === null} onClick={() => turn(next ?? undefined)}>
        {texts.tasks.older}
      </Button>
    </nav>
  )
}
