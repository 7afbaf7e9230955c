import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ids, probe, RUNS, sorted, type Twins, twins } from './ids.arbitrary.js'
import { Bitmap } from './index.js'

function expectSame(bitmap: Bitmap, plain: Iterable<number>): void {
  const expected = sorted(plain)
  expect(areSame(bitmap.toArray(), expected)).toBe(true)
  expect(bitmap.size).toBe(expected.length)
}

/** Comparing typed arrays of this size with `toEqual` takes seconds. */
function areSame(a: Uint32Array, b: Uint32Array): boolean {
  return a.length === b.length && a.every((id, i) => id === b[i])
}

function holdsFor(check: (a: Twins, b: Twins) => void): void {
  fc.assert(fc.property(twins, twins, check), RUNS)
}

const common = (a: Twins, b: Twins): number[] => [...a.plain].filter((id) => b.plain.has(id))
const onlyFirst = (a: Twins, b: Twins): number[] => [...a.plain].filter((id) => !b.plain.has(id))
const either = (a: Twins, b: Twins): Set<number> => new Set([...a.plain, ...b.plain])

describe('making bitmaps', () => {
  test('ids in any order, with repeats, give the same set as a plain one', () => {
    fc.assert(
      fc.property(ids, (list) => expectSame(Bitmap.fromUnsorted(list), new Set(list))),
      RUNS,
    )
  })

  test('many ids spread over few or many keys give the same set as a plain one', () => {
    for (const [count, spacing] of [
      [20_000, 7],
      [20_000, 50_021],
      [9000, 4_000_037],
    ] as const) {
      const list = Array.from({ length: count }, (_, i) => ((i * 7919) % count) * spacing)
      expectSame(Bitmap.fromUnsorted([...list, ...list.slice(0, 500)]), new Set(list))
    }
  })

  test('the caller keeps its own array unchanged', () => {
    const list = Uint32Array.of(5, 3, 3, 9)
    expect([...Bitmap.fromUnsorted(list)]).toEqual([3, 5, 9])
    expect([...list]).toEqual([5, 3, 3, 9])
  })

  test('sorted ids may be a typed or a plain array', () => {
    expect([...Bitmap.fromSorted(Uint32Array.of(1, 70_000, 4294967295))]).toEqual([1, 70_000, 4294967295])
    expect([...Bitmap.fromSorted([1, 70_000, 4294967295])]).toEqual([1, 70_000, 4294967295])
  })

  test.each([[[1, 1]], [[2, 1]], [[65_536, 65_536]], [[70_000, 5]], [[1, 70_000, 69_999]]])(
    'sorted ids that do not increase are refused: %j',
    (list) => expect(() => Bitmap.fromSorted(list)).toThrow(RangeError),
  )

  test('of and empty make what they say', () => {
    expect([...Bitmap.of(3, 1, 3)]).toEqual([1, 3])
    expect([...Bitmap.empty()]).toEqual([])
    expect(Bitmap.empty().isEmpty).toBe(true)
    expect(Bitmap.of(0).isEmpty).toBe(false)
  })

  test('a range holds its start and not its end, also across and at the end of the 32 bits', () => {
    expect([...Bitmap.range(65_534, 65_538)]).toEqual([65_534, 65_535, 65_536, 65_537])
    expect([...Bitmap.range(4294967294, 4294967296)]).toEqual([4294967294, 4294967295])
    expect(Bitmap.range(5, 5).isEmpty).toBe(true)
    expect(Bitmap.range(6, 5).isEmpty).toBe(true)
    expect(Bitmap.range(0, 4294967296).size).toBe(4294967296)
  })
})

describe('set operations agree with plain sets', () => {
  test('and', () => holdsFor((a, b) => expectSame(a.bitmap.and(b.bitmap), common(a, b))))
  test('or', () => holdsFor((a, b) => expectSame(a.bitmap.or(b.bitmap), either(a, b))))
  test('andNot', () => holdsFor((a, b) => expectSame(a.bitmap.andNot(b.bitmap), onlyFirst(a, b))))
  test('xor', () => holdsFor((a, b) => expectSame(a.bitmap.xor(b.bitmap), [...onlyFirst(a, b), ...onlyFirst(b, a)])))

  test('in place', () =>
    holdsFor((a, b) => {
      const [and, or, andNot] = [a.bitmap.clone(), a.bitmap.clone(), a.bitmap.clone()]
      and.andWith(b.bitmap)
      or.orWith(b.bitmap)
      andNot.andNotWith(b.bitmap)
      expectSame(and, common(a, b))
      expectSame(or, either(a, b))
      expectSame(andNot, onlyFirst(a, b))
      expectSame(a.bitmap, a.plain)
      expectSame(b.bitmap, b.plain)
    }))

  test('counts and questions', () =>
    holdsFor((a, b) => {
      const count = common(a, b).length
      expect(a.bitmap.andCount(b.bitmap)).toBe(count)
      expect(a.bitmap.orCount(b.bitmap)).toBe(either(a, b).size)
      expect(a.bitmap.intersects(b.bitmap)).toBe(count > 0)
      expect(a.bitmap.firstCommon(b.bitmap)).toBe(a.bitmap.and(b.bitmap).min)
      expect(a.bitmap.isSubsetOf(b.bitmap)).toBe(count === a.plain.size)
      expect(a.bitmap.equals(b.bitmap)).toBe(count === a.plain.size && count === b.plain.size)
    }))

  test('a set is equal to itself in another layout, and a subset of itself and more', () =>
    holdsFor((a, b) => {
      const rebuilt = Bitmap.fromUnsorted(a.plain)
      expect(a.bitmap.equals(rebuilt) && rebuilt.equals(a.bitmap)).toBe(true)
      expect(a.bitmap.isSubsetOf(a.bitmap.or(b.bitmap))).toBe(true)
      expect(a.bitmap.and(b.bitmap).isSubsetOf(rebuilt)).toBe(true)
    }))

  test('of a set with itself', () => {
    fc.assert(
      fc.property(twins, ({ plain, bitmap }) => {
        expectSame(bitmap.and(bitmap), plain)
        expectSame(bitmap.or(bitmap), plain)
        expect(bitmap.andNot(bitmap).isEmpty && bitmap.xor(bitmap).isEmpty).toBe(true)
        bitmap.orWith(bitmap)
        bitmap.andWith(bitmap)
        expectSame(bitmap, plain)
        bitmap.andNotWith(bitmap)
        expect(bitmap.isEmpty).toBe(true)
      }),
      RUNS,
    )
  })

  test('many at once', () => {
    fc.assert(
      fc.property(fc.array(twins, { maxLength: 6 }), (many) => {
        const bitmaps = many.map(({ bitmap }) => bitmap)
        expectSame(Bitmap.orMany(bitmaps), new Set(many.flatMap(({ plain }) => [...plain])))
        const [first, ...others] = many
        const inAll = [...(first?.plain ?? [])].filter((id) => others.every(({ plain }) => plain.has(id)))
        expectSame(Bitmap.andMany(new Set(bitmaps)), inAll)
      }),
      RUNS,
    )
  })

  test('the union of many small sets, whose sum is still an array', () => {
    const many = Array.from({ length: 50 }, (_, i) => [i, i * 1300, 65_535 - i, 200_000 + i, 65_536 * i])
    expectSame(Bitmap.orMany(many.map((list) => Bitmap.of(...list))), new Set(many.flat()))
    expectSame(Bitmap.orMany(many.map((list) => Bitmap.of(...list))), new Set(many.flat()))
  })
})

describe('looking into a bitmap agrees with plain sets', () => {
  test('has, nextFrom, rank', () => {
    fc.assert(
      fc.property(twins, fc.array(probe, { minLength: 1, maxLength: 20 }), ({ plain, bitmap }, probes) => {
        const list = sorted(plain)
        for (const id of probes) {
          expect(bitmap.has(id)).toBe(plain.has(id))
          expect(bitmap.nextFrom(id)).toBe(list.find((member) => member >= id) ?? -1)
          expect(bitmap.rank(id)).toBe(list.filter((member) => member < id).length)
        }
      }),
      RUNS,
    )
  })

  test('min, max, select', () => {
    fc.assert(
      fc.property(twins, fc.double({ min: 0, max: 1, noNaN: true }), ({ plain, bitmap }, share) => {
        const list = sorted(plain)
        expect(bitmap.min).toBe(list[0] ?? -1)
        expect(bitmap.max).toBe(list.at(-1) ?? -1)
        const position = Math.floor(share * list.length)
        expect(bitmap.select(position)).toBe(list[position] ?? -1)
        if (position < list.length) expect(bitmap.rank(bitmap.select(position))).toBe(position)
      }),
      RUNS,
    )
  })

  test('slices, forEach and iteration', () => {
    fc.assert(
      fc.property(twins, fc.nat(10_000), fc.nat(10_000), ({ plain, bitmap }, offset, limit) => {
        const list = sorted(plain)
        expect(areSame(bitmap.toArraySlice(offset, limit), list.slice(offset, offset + limit))).toBe(true)
        const visited: number[] = []
        bitmap.forEach((id) => {
          visited.push(id)
        })
        expect(areSame(Uint32Array.from(visited), list)).toBe(true)
        expect(areSame(Uint32Array.from(bitmap), list)).toBe(true)
      }),
      RUNS,
    )
  })

  test('bits are marked for all ids that there are words for', () => {
    fc.assert(
      fc.property(twins, fc.nat(140_000), ({ bitmap, plain }, limit) => {
        const words = new Uint32Array((limit + 31) >>> 5)
        bitmap.markIn(words)
        const marked = Uint32Array.from({ length: words.length * 32 }, (_, id) => id).filter(
          (id) => (words[id >>> 5]! >>> (id & 31)) & 1,
        )
        expect(
          areSame(
            marked,
            sorted(plain).filter((id) => id < words.length * 32),
          ),
        ).toBe(true)
        expect(areSame(Bitmap.fromWords(words).toArray(), marked)).toBe(true)
      }),
      RUNS,
    )
  })

  test('an iterator that is done stays done', () => {
    for (const bitmap of [Bitmap.of(1), Bitmap.range(3, 4), Bitmap.fromUnsorted(Bitmap.range(0, 5000))]) {
      const iterator = bitmap[Symbol.iterator]()
      for (const _ of iterator);
      expect(iterator.next()).toEqual({ value: undefined, done: true })
      expect(iterator.next()).toEqual({ value: undefined, done: true })
    }
  })

  test('forEach allows other operations meanwhile', () => {
    const seen: number[] = []
    Bitmap.range(10, 15).forEach((id) => {
      Bitmap.range(0, 50_000).and(Bitmap.range(20, 30_000))
      seen.push(id)
    })
    expect(seen).toEqual([10, 11, 12, 13, 14])
  })
})

type Step = readonly [
  name: 'add' | 'remove' | 'addRange' | 'clone' | 'optimize' | 'orWith' | 'andNotWith' | 'andWith' | 'keep',
  id: number,
  other: Twins,
]

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.tuple(
    fc.constantFrom('add', 'remove', 'addRange', 'clone', 'optimize', 'orWith', 'andNotWith', 'andWith', 'keep'),
    probe,
    twins,
  ) as fc.Arbitrary<Step>,
  { maxLength: 8 },
)

const RANGE_LENGTH = 6000

/** Does one step to both and gives back the bitmap to go on with. */
function apply([name, id, other]: Step, { plain, bitmap }: Twins): Bitmap {
  if (name === 'add') expect(bitmap.add(id)).toBe(plain.size < plain.add(id).size)
  if (name === 'remove') expect(bitmap.remove(id)).toBe(plain.delete(id))
  if (name === 'addRange') {
    const end = Math.min(id + RANGE_LENGTH, 2 ** 32)
    for (let i = id; i < end; i++) plain.add(i)
    bitmap.addRange(id, end)
  }
  if (name === 'optimize') bitmap.runOptimize()
  if (name === 'orWith') {
    for (const member of other.plain) plain.add(member)
    bitmap.orWith(other.bitmap)
  }
  if (name === 'andNotWith') {
    for (const member of other.plain) plain.delete(member)
    bitmap.andNotWith(other.bitmap)
  }
  if (name === 'andWith') {
    for (const member of plain) if (!other.plain.has(member)) plain.delete(member)
    bitmap.andWith(other.bitmap)
  }
  return name === 'clone' ? bitmap.clone() : bitmap
}

describe('changing a bitmap', () => {
  test('any sequence of changes agrees with a plain set, and leaves clones, results and arguments alone', () => {
    fc.assert(
      fc.property(twins, steps, (start, sequence) => {
        const kept: Twins[] = []
        let bitmap = start.bitmap
        const plain = new Set(start.plain)
        for (const step of sequence) {
          if (step[0] === 'clone') kept.push({ plain: new Set(plain), bitmap })
          if (step[0] === 'keep') kept.push({ plain: new Set(plain), bitmap: bitmap.or(Bitmap.empty()) })
          bitmap = apply(step, { plain, bitmap })
        }
        expectSame(bitmap, plain)
        for (const twin of kept) expectSame(twin.bitmap, twin.plain)
        for (const [, , other] of sequence) expectSame(other.bitmap, other.plain)
      }),
      RUNS,
    )
  })

  test('adding and removing one by one passes through every layout', () => {
    const bitmap = Bitmap.empty()
    const plain = new Set<number>()
    for (let i = 0; i < 10_000; i++) {
      const id = (i * 40_503) % 65_536
      expect(bitmap.add(id)).toBe(true)
      plain.add(id)
    }
    expectSame(bitmap, plain)
    expect(bitmap.add(0)).toBe(false)
    for (let i = 0; i < 10_000; i++) expect(bitmap.remove((i * 40_503) % 65_536)).toBe(true)
    expect(bitmap.isEmpty).toBe(true)
    expect(bitmap.remove(0)).toBe(false)
  })

  test('adding to results cut from the same chunk changes only one of them', () => {
    const [a, b] = [Bitmap.of(1, 3), Bitmap.of(5, 7)]
    a.add(4)
    a.add(2)
    b.remove(5)
    expect([...a]).toEqual([1, 2, 3, 4])
    expect([...b]).toEqual([7])
  })
})

describe('memory', () => {
  test('runs take less than what they replace, and never more', () => {
    fc.assert(
      fc.property(twins, ({ plain, bitmap }) => {
        const before = bitmap.serializedSizeBytes()
        bitmap.runOptimize()
        expectSame(bitmap, plain)
        // A bitmap with runs spends one bit per container on saying which has some.
        expect(bitmap.serializedSizeBytes()).toBeLessThanOrEqual(before + 1)
      }),
      RUNS,
    )
  })

  test('a million ids in a row are small, as a range or optimized', () => {
    const bitmap = Bitmap.fromUnsorted(Bitmap.range(0, 1_000_000))
    expect(bitmap.sizeBytes()).toBeGreaterThan(125_000)
    bitmap.runOptimize()
    expect(bitmap.sizeBytes()).toBeLessThan(2000)
    expect(Bitmap.range(0, 1_000_000).sizeBytes()).toBeLessThan(2000)
  })
})
