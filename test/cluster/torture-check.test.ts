import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Checker } from '../../scripts/torture/cluster/check.js'
import { History } from '../../scripts/torture/cluster/history.js'
import {
  type Document,
  ExpectedIndexes,
  type INDEXES,
  type Operation,
} from '../../scripts/torture/cluster/operations.js'
import type { CheckedServer } from '../../scripts/torture/cluster/pages.js'
import { temporaryFolder } from '../../src/store/temporary.fixture.js'

const PUT: Operation = { kind: 'put', index: 'plums', ids: ['a'], fillerBytes: 10 }
const COUNT: Operation = { kind: 'count', index: 'plums', id: 'counter-0' }
const TIMES = { sentAt: 0, at: 1, answeredMs: 1 }

interface SaidTask {
  readonly uid: number
  readonly status: string
  readonly type: string
  readonly customMetadata: string
}

const task = (uid: number, label: string, status = 'succeeded'): SaidTask => ({
  uid,
  status,
  type: 'documentAdditionOrUpdate',
  customMetadata: label,
})

/** A server that answers with what it is told to hold. */
class Teller implements CheckedServer {
  readonly unexpectedEnds: string[] = []
  readonly logPath = join(temporaryFolder(), 'log')
  tasks: SaidTask[] = []
  readonly expected = new ExpectedIndexes()

  constructor(readonly name: string) {
    writeFileSync(this.logPath, '')
  }

  document(id: string): Document | undefined {
    return this.expected.byUid.get('plums')!.documents.get(id)
  }

  async request(_method: string, path: string) {
    return { status: 200, body: this.answer(new URL(path, 'http://a')) }
  }

  private answer({ pathname, searchParams }: URL): unknown {
    const [, resource, index, kind] = pathname.split('/')
    if (searchParams.has('statuses')) return { total: 0 }
    const from = Number(searchParams.get('from'))
    if (resource === 'tasks') return { results: this.tasks.filter(({ uid }) => uid >= from), next: null }
    if (resource !== 'indexes') return { results: [] }
    const { documents, synonyms } = this.expected.byUid.get(index as (typeof INDEXES)[number])!
    return kind === 'settings' ? synonyms : { results: [...documents.values()] }
  }
}

/** Two servers that hold two acknowledged writes, and one that was not answered. */
async function checked(change: (servers: readonly [Teller, Teller], history: History) => void): Promise<string[]> {
  const history = new History(join(temporaryFolder(), 'history'))
  const servers = [new Teller('one'), new Teller('two')] as const
  for (const [uid, operation] of [PUT, COUNT].entries()) {
    history.sent(`w0-${uid}-0`, operation, 'one')
    history.acknowledge(`w0-${uid}-0`, uid, TIMES)
  }
  history.sent('w0-2-0', COUNT, 'two')
  for (const server of servers) {
    server.tasks = [task(0, 'w0-0-0'), task(1, 'w0-1-0')]
    server.expected.apply(PUT, 'w0-0-0')
    server.expected.apply(COUNT, 'w0-1-0')
  }
  change(servers, history)
  const problems = await new Checker(servers, history, 0).checkAll()
  await history.close()
  return problems
}

test('what was acknowledged is there, what was not answered may be missing', async () => {
  expect(await checked(() => {})).toEqual([])
})

test('what was not answered may be there', async () => {
  const problems = await checked((servers) => {
    for (const server of servers) {
      server.tasks.push(task(2, 'w0-2-0'))
      server.expected.apply(COUNT, 'w0-2-0')
    }
  })
  expect(problems).toEqual([])
})

test('a task that is lost', async () => {
  const problems = await checked((servers) => {
    for (const server of servers) server.tasks.pop()
  })
  expect(problems).toContain('w0-1-0 was acknowledged as task 1 and is lost')
})

test('a task that is there twice', async () => {
  const problems = await checked((servers) => {
    for (const server of servers) server.tasks.push(task(2, 'w0-0-0'))
  })
  expect(problems).toEqual(['w0-0-0 is there twice, the second time as task 2'])
})

test('a task under another uid than was answered, and one that failed', async () => {
  const problems = await checked((servers) => {
    for (const server of servers) server.tasks = [task(0, 'w0-1-0'), task(1, 'w0-0-0', 'failed')]
  })
  expect(problems).toEqual([
    'w0-0-0 was acknowledged as task 0, which is w0-1-0',
    expect.stringMatching(/^task 1 is failed/),
    'w0-1-0 was acknowledged as task 1, which is w0-0-0',
  ])
})

test('an edit that was applied twice', async () => {
  const problems = await checked((servers) => {
    for (const server of servers) server.expected.apply(COUNT, 'again')
  })
  expect(problems).toEqual([expect.stringMatching(/^document counter-0 of plums: .*2.* where .*1.* was expected/)])
})

test('servers that differ', async () => {
  const problems = await checked(([one, two]) => {
    two.expected.apply({ kind: 'delete', index: 'plums', ids: ['a'] }, '')
    expect(one.document('a')).toBeDefined()
    two.tasks = [task(0, 'w0-0-0'), task(1, 'w0-1-0', 'canceled')]
  })
  expect(problems.filter((problem) => problem.includes('one and two differ'))).toHaveLength(3)
})

test('a server that ended, or took a copy of the data of another one', async () => {
  const problems = await checked(([one, two]) => {
    one.unexpectedEnds.push('SIGSEGV')
    writeFileSync(two.logPath, 'fine\nthis server takes a copy of the data of another one\n')
  })
  expect(problems).toEqual(['one ended by itself: SIGSEGV', expect.stringMatching(/^two says: .*takes a copy/)])
})
