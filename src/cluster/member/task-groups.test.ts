import { expect, test } from 'vitest'
import { ok, type Result } from '../../errors/index.js'
import type { Task } from '../../tasks/index.js'
import type { AcceptedTask } from '../records/record.js'
import { TaskGroups } from './task-groups.js'

const accepted = (indexUid: string, payloadBytes = 0): AcceptedTask => ({
  enqueuedAt: '2026-01-05T10:00:00Z',
  options: {},
  content: {
    type: 'documentDeletion',
    indexUid,
    selection: { by: 'idList', count: 1, payload: { place: 'inline', content: Buffer.alloc(payloadBytes) } },
  },
})

function openGroups() {
  const sent: { readonly uids: string[]; readonly acknowledge: () => void; readonly refuse: () => void }[] = []
  const timers: (() => void)[] = []
  const groups = new TaskGroups(
    (tasks) =>
      new Promise((resolve, reject) => {
        const uids = tasks.map(({ content }) => ('indexUid' in content ? (content.indexUid ?? '') : ''))
        const answers = uids.map((uid): Result<Task> => ok({ uid } as unknown as Task))
        sent.push({
          uids,
          acknowledge: () => resolve({ answered: Promise.resolve(answers) }),
          refuse: () => reject(new Error('no majority')),
        })
      }),
    (_ms, callback) => {
      timers.push(callback)
      return () => {}
    },
  )
  return { groups, sent, timers }
}

const uidOf = async (answered: Promise<Result<Task>>) => {
  const task = await answered
  return task.ok && task.value.uid
}

test('tasks that come while others are on their way share an entry, and each gets its own answer', async () => {
  const { groups, sent } = openGroups()
  const answers = ['a', 'b', 'c', 'd', 'e'].map((uid) => uidOf(groups.add(accepted(uid))))
  expect(sent.map(({ uids }) => uids)).toEqual([['a']])
  sent[0]!.acknowledge()
  expect(await answers[0]).toBe('a')
  expect(sent.map(({ uids }) => uids)).toEqual([['a'], ['b', 'c', 'd', 'e']])
  sent[1]!.acknowledge()
  expect(await Promise.all(answers)).toEqual(['a', 'b', 'c', 'd', 'e'])
})

test('payloads do not grow beyond what an entry holds', async () => {
  const { groups, sent } = openGroups()
  const half = 150 * 1024
  const answers = ['a', 'b', 'c', 'd', 'e'].map((uid) => uidOf(groups.add(accepted(uid, half))))
  for (let i = 0; i < 5; i++) {
    sent[i]!.acknowledge()
    await answers[i]
  }
  expect(sent.map(({ uids }) => uids.length)).toEqual([1, 1, 1, 1, 1])
})

test('an entry that the log did not take fails its own tasks only', async () => {
  const { groups, sent } = openGroups()
  const answers = ['a', 'b', 'c'].map((uid) => groups.add(accepted(uid)))
  sent[0]!.refuse()
  await expect(answers[0]).rejects.toThrow('no majority')
  sent[1]!.acknowledge()
  expect((await Promise.all(answers.slice(1))).map(({ ok }) => ok)).toEqual([true, true])
})

test('while the log does not answer, nobody waits for those before', async () => {
  const { groups, sent, timers } = openGroups()
  const answers = ['a', 'b', 'c'].map((uid) => uidOf(groups.add(accepted(uid))))
  timers[0]!()
  expect(sent.map(({ uids }) => uids)).toEqual([['a'], ['b', 'c']])
  answers.push(uidOf(groups.add(accepted('d'))))
  sent[0]!.acknowledge()
  expect(await answers[0]).toBe('a')
  expect(sent).toHaveLength(2)
  sent[1]!.acknowledge()
  await answers[2]
  sent[2]!.acknowledge()
  expect(await Promise.all(answers)).toEqual(['a', 'b', 'c', 'd'])
})
