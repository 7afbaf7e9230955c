import type { DeletionSelection, Task, TaskContent } from '../model/task.js'

/** What the batcher must know about the index that the batch is for. */
export interface IndexFacts {
  readonly exists: boolean
  readonly primaryKey: string | null
}

/** The kinds of growing batches (spec 2 §4.3). */
export type BatchKind =
  | 'operations'
  | 'deletions'
  | 'filteredDeletions'
  | 'clear'
  | 'settings'
  | 'clearAndSettings'
  | 'deleteIndex'
  | 'alone'

export interface Growth {
  readonly kind: BatchKind
  readonly tasks: readonly Task[]
  /** Why it stopped growing; null when there was no further candidate. */
  readonly stopped: string | null
}

type Candidate = 'import' | 'deleteIds' | 'deleteFilter' | 'clear' | 'settings' | 'deleteIndex' | 'unbatchable'

/** What happens when a candidate meets a batch: the kind it becomes, or why it stays outside. */
type Step = BatchKind | { readonly stop: string }

interface Growing {
  kind: BatchKind
  exists: boolean
  /** Whether the first task may make the index. */
  hasRight: boolean
  primaryKey: string | null
}

/**
 * Grows a batch from the first candidate on. Candidates are the enqueued tasks of one index in uid order; they are
 * read only as far as the batch grows.
 */
export function growBatch(candidates: Iterable<Task>, facts: IndexFacts): Growth {
  const iterator = candidates[Symbol.iterator]()
  const first = iterator.next().value as Task
  const kind = startKind(first, facts)
  if (kind === 'alone') return { kind, tasks: [first], stopped: whyAlone(first, facts) }
  const growing: Growing = {
    kind,
    exists: facts.exists,
    hasRight: mayCreate(first.content),
    primaryKey: explicitKey(first.content),
  }
  const tasks = [first]
  for (let next = iterator.next(); !next.done; next = iterator.next()) {
    const task = next.value as Task
    const step = admit(growing, task, facts)
    if (typeof step === 'object')
      return { kind: growing.kind, tasks, stopped: `stopped before task ${task.uid}: ${step.stop}` }
    tasks.push(task)
    growing.kind = step
    if (step === 'deleteIndex')
      return { kind: step, tasks, stopped: `stopped after task ${task.uid}, which deletes the index` }
  }
  return { kind: growing.kind, tasks, stopped: null }
}

function whyAlone({ uid, content }: Task, { primaryKey }: IndexFacts): string {
  const key = explicitKey(content)
  if (key === null) return `a task of type ${content.type} (task ${uid}) is always processed alone`
  return `task ${uid} is processed alone: its primary key \`${key}\` is not the index's, \`${primaryKey}\``
}

function startKind(task: Task, facts: IndexFacts): BatchKind {
  const key = explicitKey(task.content)
  if (key !== null && facts.primaryKey !== null && key !== facts.primaryKey) return 'alone'
  switch (candidateOf(task.content)) {
    case 'import':
      return 'operations'
    case 'deleteIds':
      return 'deletions'
    case 'deleteFilter':
      return 'filteredDeletions'
    case 'clear':
      return 'clear'
    case 'settings':
      return 'settings'
    default:
      return 'alone'
  }
}

function admit(batch: Growing, task: Task, facts: IndexFacts): Step {
  const keyProblem = checkKey(batch, task.content, facts)
  if (keyProblem !== undefined) return { stop: keyProblem }
  const candidate = candidateOf(task.content)
  if (candidate === 'unbatchable') return { stop: `a task of type ${task.content.type} is always processed alone` }
  const dependsOnRight = batch.kind === 'operations' || batch.kind === 'settings' || batch.kind === 'clearAndSettings'
  if (!batch.exists && dependsOnRight && !batch.hasRight && mayCreate(task.content)) {
    return { stop: 'it may create the index, the tasks before may not' }
  }
  const step = join(batch, candidate, task)
  const key = explicitKey(task.content)
  if (typeof step === 'string' && key !== null && batch.primaryKey === null) batch.primaryKey = key
  return step
}

/** Only imports that name a key can be refused here; `undefined` lets the candidate pass. */
function checkKey(batch: Growing, content: TaskContent, facts: IndexFacts): string | undefined {
  const key = explicitKey(content)
  if (key === null) return undefined
  if (facts.primaryKey !== null) {
    return key === facts.primaryKey
      ? undefined
      : `its primary key \`${key}\` is not the index's, \`${facts.primaryKey}\``
  }
  if (batch.kind !== 'operations') return undefined
  if (batch.primaryKey === null) return `its primary key \`${key}\` would disturb the inference of the tasks before`
  return key === batch.primaryKey ? undefined : `its primary key \`${key}\` is not the batch's, \`${batch.primaryKey}\``
}

function join(batch: Growing, candidate: Exclude<Candidate, 'unbatchable'>, task: Task): Step {
  if (candidate === 'deleteIndex') return 'deleteIndex'
  switch (batch.kind) {
    case 'operations':
      return joinOperations(candidate)
    case 'deletions':
      if (candidate === 'import' && !batch.exists && mayCreate(task.content)) {
        return { stop: 'it may create the index, the tasks before may not' }
      }
      return joinDeletions(candidate, 'deletions')
    case 'filteredDeletions':
      return joinDeletions(candidate, 'filteredDeletions')
    case 'clear':
      return candidate === 'import' || candidate === 'settings' ? { stop: afterDocuments(candidate) } : 'clear'
    case 'settings':
      if (candidate === 'settings') return 'settings'
      return candidate === 'clear'
        ? 'clearAndSettings'
        : { stop: 'a document operation cannot follow settings in a batch' }
    default:
      return candidate === 'import'
        ? { stop: 'a document operation cannot follow settings in a batch' }
        : 'clearAndSettings'
  }
}

function joinOperations(candidate: Candidate): Step {
  if (candidate === 'deleteFilter') return { stop: 'a deletion by filter cannot follow document operations in a batch' }
  if (candidate === 'settings') return { stop: afterDocuments(candidate) }
  return candidate === 'clear' ? 'clear' : 'operations'
}

function joinDeletions(candidate: Candidate, kind: BatchKind): Step {
  if (candidate === 'settings') return { stop: afterDocuments(candidate) }
  if (candidate === 'import') return 'operations'
  if (candidate === 'clear') return 'clear'
  return candidate === 'deleteFilter' ? 'filteredDeletions' : kind
}

const afterDocuments = (candidate: Candidate): string =>
  candidate === 'settings'
    ? 'settings cannot follow document operations in a batch'
    : 'an addition cannot follow the deletion of all documents'

function candidateOf(content: TaskContent): Candidate {
  switch (content.type) {
    case 'documentAdditionOrUpdate':
      return 'import'
    case 'documentDeletion':
      return deletionCandidate(content.selection)
    case 'settingsUpdate':
      return 'settings'
    case 'indexDeletion':
      return 'deleteIndex'
    default:
      return 'unbatchable'
  }
}

function deletionCandidate({ by }: DeletionSelection): Candidate {
  if (by === 'all') return 'clear'
  return by === 'filter' ? 'deleteFilter' : 'deleteIds'
}

/** Whether the task may make its index when it is missing. */
export function mayCreate(content: TaskContent): boolean {
  return (
    (content.type === 'documentAdditionOrUpdate' || content.type === 'settingsUpdate') && content.allowIndexCreation
  )
}

function explicitKey(content: TaskContent): string | null {
  return content.type === 'documentAdditionOrUpdate' ? content.primaryKey : null
}
