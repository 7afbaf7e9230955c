import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DenseDocSet } from '../bitmap/index.js'
import { Bucket } from './bucket.js'

const ids = fc.uniqueArray(fc.nat(300), { minLength: 1 }).map((list) => Uint32Array.from(list).sort())

function bucketOf(docIds: Uint32Array): Bucket {
  const bits = new DenseDocSet(301)
  bits.addAll(docIds)
  return Bucket.of(bits)
}

test('members by their docIds are the same part as members by their ordinals', () => {
  fc.assert(
    fc.property(ids, fc.array(fc.nat(3)), (docIds, keeps) => {
      const ordinals = Uint32Array.from(docIds.keys()).filter((place) => (keeps[place] ?? 0) > 0)
      const members = ordinals.map((place) => docIds[place]!)
      const [byDocIds, byPlaces] = [bucketOf(docIds).partOf(members), bucketOf(docIds).part(ordinals)]
      expect([byDocIds.size, byDocIds.docIds, byDocIds.ordinals]).toEqual([ordinals.length, members, ordinals])
      expect([byPlaces.size, byPlaces.docIds, byPlaces.ordinals]).toEqual([ordinals.length, members, ordinals])
    }),
  )
})

test('a part of a part knows its ordinals in the origin', () => {
  const part = bucketOf(Uint32Array.of(2, 3, 5, 7, 11)).partOf(Uint32Array.of(3, 7, 11))
  expect(part.partOf(Uint32Array.of(7)).ordinals).toEqual(Uint32Array.of(3))
  expect(part.part(Uint32Array.of(1, 4)).docIds).toEqual(Uint32Array.of(3, 11))
})

test('a bucket has its size before and after its members were listed', () => {
  const bucket = bucketOf(Uint32Array.of(1, 64, 300))
  expect([bucket.size, bucket.docIds.length, bucket.size, [...bucket.ordinals]]).toEqual([3, 3, 3, [0, 1, 2]])
})

test('groups have the members that a plain filter finds, in their order', () => {
  const GROUPS = 4
  fc.assert(
    fc.property(ids, fc.array(fc.nat(GROUPS - 1)), (docIds, said) => {
      const groupOf = Uint32Array.from(docIds, (_, i) => said[i] ?? 0)
      const parts = bucketOf(docIds).split(groupOf, GROUPS)
      for (let group = 0; group < GROUPS; group++) {
        const members = docIds.filter((_, i) => groupOf[i] === group)
        expect(parts[group]!.docIds).toEqual(members)
        const byNumber = bucketOf(docIds).membersOf(groupOf, Uint32Array.of(0, 1, 2, 3), group)
        expect(byNumber.docIds).toEqual(members)
        expect(bucketOf(docIds).filter((docId) => members.includes(docId)).docIds).toEqual(members)
      }
    }),
  )
})
