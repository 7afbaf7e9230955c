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
