import { expect, test } from 'vitest'
import { ACTIONS, type Action, expandActions, isCheckedByHandlers, isGlobalAction } from './actions.js'

test('there are the 58 actions of the interface and one of our own, each once', () => {
  expect(ACTIONS.filter((action) => action !== 'cluster.get')).toHaveLength(58)
  expect(new Set(ACTIONS).size).toBe(59)
})

test('the star grants everything, the permission to edit documents included', () => {
  expect([...expandActions(['*'])].sort()).toEqual([...ACTIONS].sort())
  expect(expandActions(['documents.*']).has('documents.*')).toBe(false)
})

test('reading everything includes searching and exporting, not keys or chat', () => {
  const granted = expandActions(['*.get'])
  expect(granted.size).toBe(17)
  for (const action of ['search', 'export', 'fields.post', 'version'] as const) expect(granted.has(action)).toBe(true)
  for (const action of ['keys.get', 'chatCompletions', 'documents.add'] as const)
    expect(granted.has(action)).toBe(false)
})

test('every family wildcard grants the actions of its family', () => {
  const families = ACTIONS.filter((action) => action.endsWith('.*'))
  for (const wildcard of families) {
    const prefix = wildcard.slice(0, -1)
    const family = ACTIONS.filter((action) => action.startsWith(prefix) && action !== wildcard)
    expect([...expandActions([wildcard])].sort()).toEqual(family.sort())
  }
})

test('a plain action grants itself, and several are put together', () => {
  expect([...expandActions(['search', 'version', 'search'])]).toEqual(['search', 'version'])
})

test('actions on the whole server are told from those on indexes', () => {
  const global: Action[] = [
    'metrics.get',
    'dumps.*',
    'version',
    'keys.create',
    'export',
    'chats.get',
    'tasks.compact',
    'chatsSettings.*',
  ]
  const scoped: Action[] = [
    '*',
    '*.get',
    'search',
    'documents.*',
    'tasks.*',
    'tasks.get',
    'chatCompletions',
    'fields.post',
    'stats.*',
  ]
  for (const action of global) expect([action, isGlobalAction(action)]).toEqual([action, true])
  for (const action of scoped) expect([action, isGlobalAction(action)]).toEqual([action, false])
})

test('no action is both global and left to handlers', () => {
  expect(ACTIONS.filter((action) => isGlobalAction(action) && isCheckedByHandlers(action))).toEqual([])
  expect(ACTIONS.filter(isGlobalAction)).toHaveLength(34)
  expect(ACTIONS.filter(isCheckedByHandlers)).toHaveLength(12)
})
