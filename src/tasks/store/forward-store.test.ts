import { expect, test } from 'vitest'
import { temporaryEnvironment } from '../../store/temporary.fixture.js'
import type { TaskNetwork } from '../model/task-network.js'
import { importOf, taskOf } from '../task.fixture.js'
import { ForwardStore } from './forward-store.js'

const leader = (...remotes: string[]): TaskNetwork => ({ kind: 'leader', remotes, networkVersion: 'v' })
const sent = { outcome: { taskUid: 7, error: null }, isFinal: true }

test('a task is sent to each server in turn, until all have heard of it', async () => {
  const environment = temporaryEnvironment()
  const store = new ForwardStore(environment)
  await environment.write(() => {
    store.add(taskOf(0, importOf('m'), { network: leader('a', 'b') }))
    store.add(taskOf(1, importOf('m'), { network: leader('b') }))
    store.add(taskOf(2, importOf('m'), { network: leader() }))
  })
  expect([store.next('a', 0)?.uid, store.next('b', 0)?.uid, store.next('b', 1)?.uid]).toEqual([0, 0, 1])
  expect([store.next('a', 1), store.next('c', 0), store.isPending(2)]).toEqual([undefined, undefined, false])
  const error = { message: '', code: 'remote_timeout', type: 'system', link: '' } as const
  await environment.write(() => {
    expect(store.settle(0, 'a', sent)).toBe(false)
    expect(store.settle(0, 'b', { outcome: { error }, isFinal: false })).toBe(false)
  })
  expect(store.outcomes(0)).toEqual({ a: { taskUid: 7, error: null }, b: { error } })
  const reopened = new ForwardStore(environment)
  expect([[...reopened.waitingRemotes()], reopened.next('b', 0)?.uid]).toEqual([['b'], 0])
  await environment.write(() => expect(store.settle(0, 'b', sent)).toBe(true))
  expect([store.isPending(0), store.next('b', 0)?.uid, store.outcomes(0).b]).toEqual([
    false,
    1,
    { taskUid: 7, error: null },
  ])
  await environment.write(() => store.forget(0))
  expect(store.outcomes(0)).toEqual({})
})

test('the last task of a server is known when it comes again', async () => {
  const environment = temporaryEnvironment()
  const store = new ForwardStore(environment)
  const origin = (remoteName: string, taskUid: number) => ({ remoteName, taskUid, networkVersion: 'v' })
  await environment.write(() => {
    store.add(taskOf(4, importOf('m'), { network: { kind: 'origin', origin: origin('a', 1) } }))
    store.add(taskOf(5, importOf('m'), { network: { kind: 'origin', origin: origin('b', 1) } }))
  })
  expect([store.receivedAs(origin('a', 1)), store.receivedAs(origin('b', 1))]).toEqual([4, 5])
  expect([store.receivedAs(origin('a', 2)), store.receivedAs(origin('c', 1))]).toEqual([undefined, undefined])
  expect(store.receivedAs({ ...origin('a', 1), networkVersion: 'w' })).toBeUndefined()
})
