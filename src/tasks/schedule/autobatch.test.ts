import { describe, expect, test } from 'vitest'
import type { Task, TaskContent } from '../model/task.js'
import {
  createIndex,
  deleteAll,
  deleteByFilter,
  deleteIds,
  deleteIndex,
  editOf,
  importOf,
  settingsOf,
  swapOf,
  taskOf,
  updateIndex,
} from '../task.fixture.js'
import { growBatch, type IndexFacts } from './autobatch.js'

const KEYED: IndexFacts = { exists: true, primaryKey: 'id' }
const KEYLESS: IndexFacts = { exists: true, primaryKey: null }
const MISSING: IndexFacts = { exists: false, primaryKey: null }

const tasks = (contents: readonly TaskContent[]): Task[] => contents.map((content, uid) => taskOf(uid, content))

/** How many of the candidates were taken, and what the batch became. */
function grow(contents: readonly TaskContent[], facts: IndexFacts = KEYED): [kind: string, size: number] {
  const { kind, tasks: taken } = growBatch(tasks(contents), facts)
  expect(taken.map((task) => task.uid)).toEqual(taken.map((_, i) => i))
  return [kind, taken.length]
}

const candidates = {
  import: importOf('m'),
  delIds: deleteIds('m'),
  delFilter: deleteByFilter('m'),
  clear: deleteAll('m'),
  settings: settingsOf('m'),
  indexDeletion: deleteIndex('m'),
}

/** The shortest list of tasks that makes a batch of each kind. */
const batches = {
  OP: [importOf('m')],
  DEL: [deleteIds('m')],
  DELF: [deleteByFilter('m')],
  CLEAR: [deleteAll('m')],
  SET: [settingsOf('m')],
  'CLEAR+SET': [settingsOf('m'), deleteAll('m')],
}

const names = {
  OP: 'operations',
  DEL: 'deletions',
  DELF: 'filteredDeletions',
  CLEAR: 'clear',
  SET: 'settings',
  'CLEAR+SET': 'clearAndSettings',
  END: 'deleteIndex',
} as const

type Kind = keyof typeof batches
type Outcome = keyof typeof names | 'stop'

/** Spec 2 §4.3, row by row; the columns stand in the order of `candidates`. */
const table: Record<Kind, readonly Outcome[]> = {
  OP: ['OP', 'OP', 'stop', 'CLEAR', 'stop', 'END'],
  DEL: ['OP', 'DEL', 'DELF', 'CLEAR', 'stop', 'END'],
  DELF: ['OP', 'DELF', 'DELF', 'CLEAR', 'stop', 'END'],
  CLEAR: ['stop', 'CLEAR', 'CLEAR', 'CLEAR', 'stop', 'END'],
  SET: ['stop', 'stop', 'stop', 'CLEAR+SET', 'SET', 'END'],
  'CLEAR+SET': ['stop', 'CLEAR+SET', 'CLEAR+SET', 'CLEAR+SET', 'CLEAR+SET', 'END'],
}

const cells = (Object.keys(table) as Kind[]).flatMap((batch) =>
  (Object.keys(candidates) as (keyof typeof candidates)[]).map((candidate, i) => ({
    batch,
    candidate,
    outcome: table[batch][i]!,
  })),
)

test.each(cells)('a batch $batch that meets $candidate: $outcome', ({ batch, candidate, outcome }) => {
  const start = batches[batch]
  const [kind, size] = grow([...start, candidates[candidate]])
  if (outcome === 'stop') expect([kind, size]).toEqual([names[batch], start.length])
  else expect([kind, size]).toEqual([names[outcome], start.length + 1])
})

test.each([
  ['indexCreation', createIndex('m')],
  ['indexUpdate', updateIndex('m')],
  ['indexSwap', swapOf(['m', 'n'])],
  ['documentEdition', editOf('m')],
] as const)('%s is processed alone, be it first or later', (type, content) => {
  expect(grow([content, content])).toEqual(['alone', 1])
  for (const [kind, start] of Object.entries(batches)) {
    expect(grow([...start, content])).toEqual([names[kind as Kind], start.length])
  }
  const { stopped } = growBatch(tasks([importOf('m'), content]), KEYED)
  expect(stopped).toContain('before task 1')
  expect(stopped).toContain(type)
})

test('a deletion of the index that comes first is processed alone', () => {
  expect(grow([deleteIndex('m'), importOf('m')])).toEqual(['alone', 1])
})

test('a deletion of the index ends the batch', () => {
  expect(grow([importOf('m'), deleteIndex('m'), importOf('m')])).toEqual(['deleteIndex', 2])
  const { stopped } = growBatch(tasks([importOf('m'), deleteIndex('m'), importOf('m')]), KEYED)
  expect(stopped).toBe('stopped after task 1, which deletes the index')
})

test('replacing and updating additions share a batch', () => {
  expect(grow([importOf('m'), importOf('m', { method: 'update' }), importOf('m')])).toEqual(['operations', 3])
})

test('a batch that takes every candidate gives no reason to have stopped', () => {
  expect(growBatch(tasks([importOf('m'), importOf('m')]), KEYED).stopped).toBeNull()
})

test('the worked example of spec 2 §4.3', () => {
  const queue = [
    importOf('m'),
    deleteIds('m'),
    importOf('m', { primaryKey: 'id' }),
    settingsOf('m'),
    settingsOf('m'),
    deleteAll('m'),
    deleteIds('m'),
    importOf('m'),
    deleteIndex('m'),
  ].map((content, i) => taskOf(5 + i, content))
  const made: number[][] = []
  for (let rest = queue; rest.length > 0; rest = rest.slice(made.at(-1)!.length)) {
    made.push(growBatch(rest, KEYED).tasks.map((task) => task.uid))
  }
  expect(made).toEqual([
    [5, 6, 7],
    [8, 9, 10, 11],
    [12, 13],
  ])
})

describe('primary keys', () => {
  const withKey = (primaryKey: string) => importOf('m', { primaryKey })

  test('an addition whose key is not that of the index is processed alone', () => {
    expect(grow([withKey('other'), importOf('m')])).toEqual(['alone', 1])
    const { stopped } = growBatch(tasks([withKey('other')]), KEYED)
    expect(stopped).toContain('`other`')
    expect(stopped).toContain('`id`')
  })

  test('in an index with a key only the same key is taken', () => {
    expect(grow([importOf('m'), withKey('id'), withKey('other')])).toEqual(['operations', 2])
    expect(grow([deleteIds('m'), withKey('other')])).toEqual(['deletions', 1])
  })

  test('in a keyless index a key may not follow additions that infer theirs', () => {
    expect(grow([importOf('m'), withKey('id')], KEYLESS)).toEqual(['operations', 1])
    expect(grow([deleteIds('m'), importOf('m'), withKey('id')], KEYLESS)).toEqual(['operations', 2])
  })

  test('in a keyless index additions without a key follow one that names it', () => {
    expect(grow([withKey('id'), importOf('m'), withKey('id')], KEYLESS)).toEqual(['operations', 3])
  })

  test('in a keyless index the first key counts for the batch, wherever it stands', () => {
    expect(grow([withKey('id'), withKey('other')], KEYLESS)).toEqual(['operations', 1])
    expect(grow([deleteIds('m'), withKey('id'), withKey('id'), withKey('other')], KEYLESS)).toEqual(['operations', 3])
  })

  test('the reason names both keys', () => {
    const reason = (contents: TaskContent[], facts: IndexFacts) => growBatch(tasks(contents), facts).stopped
    expect(reason([importOf('m'), withKey('other')], KEYED)).toMatch(/before task 1.*`other`.*`id`/)
    expect(reason([withKey('a'), withKey('b')], KEYLESS)).toMatch(/before task 1.*`b`.*`a`/)
    expect(reason([importOf('m'), withKey('b')], KEYLESS)).toMatch(/before task 1.*`b`.*inference/)
  })
})

describe('the right to create the index', () => {
  const without = importOf('m', { allowIndexCreation: false })
  const settingsWithout = settingsOf('m', {}, false)

  test('a batch without it stops before a task that has it, as long as the index is missing', () => {
    expect(grow([without, importOf('m')], MISSING)).toEqual(['operations', 1])
    expect(grow([settingsWithout, settingsOf('m')], MISSING)).toEqual(['settings', 1])
    expect(grow([settingsWithout, deleteAll('m'), settingsOf('m')], MISSING)).toEqual(['clearAndSettings', 2])
  })

  test('it does not matter when the index exists', () => {
    expect(grow([without, importOf('m')], KEYLESS)).toEqual(['operations', 2])
    expect(grow([settingsWithout, settingsOf('m')], KEYLESS)).toEqual(['settings', 2])
  })

  test('a batch that has it takes tasks without it', () => {
    expect(grow([importOf('m'), without, importOf('m')], MISSING)).toEqual(['operations', 3])
  })

  test('deletions of a missing index take an addition only when it could not create the index', () => {
    expect(grow([deleteIds('m'), importOf('m')], MISSING)).toEqual(['deletions', 1])
    expect(grow([deleteIds('m'), without], MISSING)).toEqual(['operations', 2])
    expect(grow([deleteIds('m'), without, importOf('m')], MISSING)).toEqual(['operations', 2])
    expect(grow([deleteByFilter('m'), importOf('m')], MISSING)).toEqual(['operations', 2])
  })
})

test('candidates are read only as far as the batch grows', () => {
  let read = 0
  function* endless(): Generator<Task> {
    for (let uid = 0; ; uid++) {
      read++
      yield taskOf(uid, uid === 3 ? settingsOf('m') : importOf('m'))
    }
  }
  expect(growBatch(endless(), KEYED).tasks).toHaveLength(3)
  expect(read).toBe(4)
})
