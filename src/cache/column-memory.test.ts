import { expect, test } from 'vitest'
import { ColumnMemory } from './column-memory.js'

function memoryOf(...names: string[]) {
  const memory = new ColumnMemory(100)
  const released: string[] = []
  const holders = names.map((name) => ({ name, sizeBytes: 0 }))
  for (const holder of holders) memory.add(holder, () => released.push(holder.name))
  return { memory, released, holders }
}

test('what was not used for longest goes first, until the rest fits', () => {
  const { memory, released, holders } = memoryOf('a', 'b', 'c')
  const [a, b, c] = holders as [(typeof holders)[0], (typeof holders)[0], (typeof holders)[0]]
  a.sizeBytes = 50
  b.sizeBytes = 40
  memory.use(a)
  memory.use(b)
  memory.use(a)
  c.sizeBytes = 30
  expect(released).toEqual([])
  memory.use(c)
  expect(released).toEqual(['b'])
})

test('a column that is too large by itself stays as it is', () => {
  const { memory, released, holders } = memoryOf('small', 'large')
  const [small, large] = holders as [(typeof holders)[0], (typeof holders)[0]]
  small.sizeBytes = 60
  memory.use(small)
  expect(memory.hasRoomFor(large)).toBe(true)
  large.sizeBytes = 40
  expect(memory.hasRoomFor(large)).toBe(false)
  memory.use(large)
  large.sizeBytes = 101
  memory.use(large)
  expect(released).toEqual(['small'])
  expect(memory.hasRoomFor(large)).toBe(false)
  expect(memory.hasRoomFor(small)).toBe(false)
})

test('what is taken out does not count', () => {
  const { memory, released, holders } = memoryOf('a', 'b')
  const [a, b] = holders as [(typeof holders)[0], (typeof holders)[0]]
  a.sizeBytes = 90
  b.sizeBytes = 90
  memory.use(a)
  memory.remove(a)
  memory.use(b)
  expect(released).toEqual([])
})
