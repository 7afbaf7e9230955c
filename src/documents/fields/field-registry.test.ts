import { expect, test } from 'vitest'
import { FailureError } from '../../errors/index.js'
import { FieldRegistry, MAX_FIELDS } from './field-registry.js'

test('names are numbered as they come and keep their numbers', () => {
  const registry = new FieldRegistry(['id', 'title'])
  expect(registry.hasGrown).toBe(false)
  expect(registry.register('title')).toBe(1)
  expect(registry.hasGrown).toBe(false)
  expect(registry.register('__proto__')).toBe(2)
  expect(registry.hasGrown).toBe(true)
  expect(registry.idOf('__proto__')).toBe(2)
  expect(registry.idOf('toString')).toBeUndefined()
  expect(registry.nameOf(registry.idOf('id')!)).toBe('id')
  expect(registry.all()).toEqual(['id', 'title', '__proto__'])
})

test('a name that was only numbered is not known, and keeps its number when it becomes so', () => {
  const registry = new FieldRegistry(['id', 'gone'], [1])
  expect(registry.idOf('gone')).toBeUndefined()
  const nested = registry.number('a.b')
  expect(registry.idOf('a.b')).toBeUndefined()
  expect(registry.nameOf(nested)).toBe('a.b')
  expect([registry.all(), registry.known(), registry.unknownIds()]).toEqual([['id', 'gone', 'a.b'], ['id'], [1, 2]])
  registry.know(nested)
  expect(registry.register('gone')).toBe(1)
  expect([registry.known(), registry.hasUnknown]).toEqual([['id', 'gone', 'a.b'], false])
})

test('a number that nobody gave has no name', () => {
  const registry = new FieldRegistry(['id', 'title'])
  const number = registry.register('more')
  expect(() => new FieldRegistry(['id']).nameOf(number)).toThrow(/not registered/)
})

test('a full registry takes no new name', () => {
  const registry = new FieldRegistry(Array.from({ length: MAX_FIELDS }, (_, i) => `n${i}`))
  expect(registry.register('n5')).toBe(5)
  expect(() => registry.register('new')).toThrow(FailureError)
  expect(registry.all()).toHaveLength(MAX_FIELDS)
})
