import { expect, test } from 'vitest'
import { StateEntries } from './state-entries.js'
import { LocalStateLog } from './state-log.js'
import { temporaryEnvironment } from './temporary.fixture.js'

const CODEC = {
  encode: (value: number) => Buffer.from(String(value)),
  decode: (bytes: Buffer) => Number(bytes.toString()),
}

const open = () => {
  const log = new LocalStateLog(temporaryEnvironment())
  return { log, entries: new StateEntries(log, 'numbers', CODEC) }
}

test('a change is known when it is on disk, and to whoever opens the entries again', async () => {
  const { log, entries } = open()
  const answer = entries.change(({ put }) => {
    put('b', 2)
    put('a', 1)
    return 'done'
  })
  expect(entries.list()).toEqual([])
  expect(await answer).toBe('done')
  const expected = [
    ['a', 1],
    ['b', 2],
  ]
  expect(entries.list()).toEqual(expected)
  expect(new StateEntries(log, 'numbers', CODEC).list()).toEqual(expected)
})

test('changes that are decided on at the same time see each other', async () => {
  const { entries } = open()
  const add = () => entries.change(({ get, put }) => put('count', (get('count') ?? 0) + 1))
  await Promise.all(Array.from({ length: 20 }, add))
  expect(entries.get('count')).toBe(20)
})

test('a change that fails changes nothing, and takes nothing back that came after it', async () => {
  const { entries } = open()
  await entries.change(({ put }) => put('a', 1))
  const failed = entries.change(({ put }) => {
    put('a', 2)
    throw new Error('no room')
  })
  const done = entries.change(({ put }) => put('b', 3))
  await expect(failed).rejects.toThrow('no room')
  await done
  expect(entries.list()).toEqual([
    ['a', 1],
    ['b', 3],
  ])
})

test('what is deleted or cleared is gone', async () => {
  const { log, entries } = open()
  await entries.change(({ put }) => {
    for (const key of ['a', 'b', 'c']) put(key, 1)
  })
  const before = entries.list()
  expect(entries.list()).toBe(before)
  await entries.change(({ delete: remove }) => remove('b'))
  expect(entries.list().map(([key]) => key)).toEqual(['a', 'c'])
  await entries.change(({ clear, put }) => {
    clear()
    put('d', 4)
  })
  expect(entries.list()).toEqual([['d', 4]])
  expect(log.database('numbers').count()).toBe(1)
})

test('others hear which entries changed', async () => {
  const { log, entries } = open()
  const heard: string[] = []
  log.follow('numbers', (keys) => heard.push(...keys.map(String)))
  await entries.change(({ put }) => put('a', 1))
  await entries.change(({ delete: remove }) => remove('a'))
  expect(heard).toEqual(['a', 'a'])
})
