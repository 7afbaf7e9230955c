import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Bitmap } from '../../bitmap/index.js'
import { temporaryEnvironment } from '../../store/temporary.fixture.js'
import { ChunkedSets } from './chunked-sets.js'

const environment = temporaryEnvironment()
let counter = 0

const emptyDatabase = () => {
  const database = environment.database('sets')
  environment.writeSync(() => database.clear())
  return database
}

const uids = fc
  .array(fc.oneof(fc.nat(10), fc.constantFrom(65_535, 65_536, 131_072, 4_294_967_295), fc.nat(300_000)), {
    maxLength: 6,
  })
  .map((list) => [...new Set(list)])

const change = fc.record({
  kind: fc.constantFrom('add', 'remove'),
  name: fc.constantFrom('kept:a', 'kept:ab', 'loose:1', 'loose:12'),
  uids,
})

test('sets hold what was added and not removed, in memory and on disk, kept or not', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
      const database = emptyDatabase()
      const sets = new ChunkedSets(database, (name) => name.startsWith('kept:'))
      const plain = new Map<string, Set<number>>()
      for (const { kind, name, uids } of changes) {
        environment.writeSync(() => sets[kind as 'add' | 'remove'](name, Bitmap.fromUnsorted(uids)))
        const set = plain.get(name) ?? new Set()
        for (const uid of uids) kind === 'add' ? set.add(uid) : set.delete(uid)
        plain.set(name, set)
      }
      const reopened = new ChunkedSets(database)
      for (const name of ['kept:a', 'kept:ab', 'loose:1', 'loose:12', 'loose:3']) {
        const expected = [...(plain.get(name) ?? [])].sort((a, b) => a - b)
        expect([...sets.get(name).toArray()]).toEqual(expected)
        expect([...reopened.get(name).toArray()]).toEqual(expected)
      }
      const members = [...plain].filter(([, set]) => set.size > 0).map(([name]) => name)
      const starting = (prefix: string) => members.filter((name) => name.startsWith(prefix)).sort()
      expect(sets.names('kept:').sort()).toEqual(starting('kept:'))
      expect(reopened.names('loose:').sort()).toEqual(starting('loose:'))
    }),
    { numRuns: 40 },
  )
})

test('a set that is kept shows what is being written, by its name as well', async () => {
  const sets = new ChunkedSets(emptyDatabase())
  const name = `index:${counter++}`
  let seen: unknown
  const written = environment.write(() => {
    sets.add(name, Bitmap.of(3))
    queueMicrotask(() => {
      seen = [sets.names('index:'), [...sets.get(name).toArray()]]
    })
  })
  await written
  expect(seen).toEqual([[name], [3]])
})

test('asking for sets that do not exist leaves nothing in memory', () => {
  const sets = new ChunkedSets(emptyDatabase())
  for (let i = 0; i < 100; i++) expect(sets.get(`batch:${i}`).isEmpty).toBe(true)
  expect((sets as unknown as { loaded: Map<string, Bitmap> }).loaded.size).toBe(0)
})
