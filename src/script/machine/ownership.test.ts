import fc from 'fast-check'
import { expect, test } from 'vitest'
import { edit } from '../testing.fixture.js'

// Copies are made late, so aliases are the danger. The plain twin copies everything at every assignment.
// The scripts look at types with methods, because reading a value would end its ownership and hide mistakes.

type Model = Record<string, { l: unknown[]; m: Record<string, unknown> }>

interface Command {
  readonly source: string
  readonly apply: (model: Model) => void
}

const copy = <T>(value: T): T => structuredClone(value)
const variable = fc.constantFrom('a', 'b', 'c')
const pair = fc.tuple(variable, variable)

/** The model as the script holds it: three variables with a list `l` and a map `m`, filled with each other's parts. */
const commands: fc.Arbitrary<Command> = fc.oneof(
  pair.map(([x, y]) => ({ source: `${x} = ${y}`, apply: (v: Model) => void (v[x] = copy(v[y]!)) })),
  pair.map(([x, y]) => ({ source: `${x}.l.push(${y}.l)`, apply: (v: Model) => void v[x]!.l.push(copy(v[y]!.l)) })),
  pair.map(([x, y]) => ({ source: `${x}.l += ${y}.m`, apply: (v: Model) => void v[x]!.l.push(copy(v[y]!.m)) })),
  pair.map(([x, y]) => ({ source: `${x}.l.append(${y}.l)`, apply: (v: Model) => void v[x]!.l.push(...copy(v[y]!.l)) })),
  pair.map(([x, y]) => ({
    source: `${x}.l = ${y}.l.filter(|e| true)`,
    apply: (v: Model) => void (v[x]!.l = copy(v[y]!.l)),
  })),
  pair.map(([x, y]) => ({ source: `${x}.l = ${y}.l.map(|e| e)`, apply: (v: Model) => void (v[x]!.l = copy(v[y]!.l)) })),
  pair.map(([x, y]) => ({ source: `${x}.m = ${y}.m + #{}`, apply: (v: Model) => void (v[x]!.m = copy(v[y]!.m)) })),
  pair.map(([x, y]) => ({
    source: `${x}.m.mixin(${y}.m)`,
    apply: (v: Model) => void Object.assign(v[x]!.m, copy(v[y]!.m)),
  })),
  pair.map(([x, y]) => ({ source: `${x}.m.k = ${y}.l`, apply: (v: Model) => void (v[x]!.m.k = copy(v[y]!.l)) })),
  pair.map(([x, y]) => ({
    source: `${x}.l.splice(0, 1, ${y}.l)`,
    apply: (v: Model) => {
      const added = copy(v[y]!.l)
      v[x]!.l.splice(0, 1, ...added)
    },
  })),
  pair.map(([x, y]) => ({ source: `swap_in(${y}).call(${x})`, apply: () => {} })),
  variable.map((x) => ({
    source: `for e in ${x}.l { if type_of(e) == "array" { e.push(7) } }`,
    apply: () => {},
  })),
  variable.map((x) => ({
    source: `if ${x}.l[0].type_of() == "array" { ${x}.l[0].push(1) }`,
    apply: (v: Model) => {
      const [first] = v[x]!.l
      if (Array.isArray(first)) first.push(1)
    },
  })),
  variable.map((x) => ({
    source: `if ${x}.l.len > 0 && ${x}.l[-1].type_of() == "array" { ${x}.l[-1].push(8) }`,
    apply: (v: Model) => {
      const last = v[x]!.l.at(-1)
      if (Array.isArray(last)) last.push(8)
    },
  })),
  variable.map((x) => ({
    source: `${x}.m.k?.push(2)`,
    apply: (v: Model) => {
      const k = v[x]!.m.k
      if (Array.isArray(k)) k.push(2)
    },
  })),
  variable.map((x) => ({
    source: `${x}.l.for_each(|| if this.type_of() == "array" { this.push(3) })`,
    apply: (v: Model) => {
      for (const item of v[x]!.l) if (Array.isArray(item)) item.push(3)
    },
  })),
  variable.map((x) => ({
    source: `${x}.add(4)`,
    apply: (v: Model) => {
      const [first] = v[x]!.l
      v[x]!.l.push(4)
      if (Array.isArray(first)) first.push(4)
    },
  })),
  variable.map((x) => ({ source: `${x}.l.truncate(3)`, apply: (v: Model) => void v[x]!.l.splice(3) })),
  variable.map((x) => ({ source: `let e = ${x}.l.get(0); if type_of(e) == "array" { e.push(5) }`, apply: () => {} })),
  variable.map((x) => ({ source: `let g = || ${x}.l.push(6); g.call()`, apply: (v: Model) => void v[x]!.l.push(6) })),
)

const FUNCTIONS = `
  fn add(n) { this.l.push(n); if this.l[0].type_of() == "array" { this.l[0].push(n) } }
  fn swap_in(y) { y.l.push(99); |x| { x.l = y.l; x.l.push(98); } }
`

test('late copies are the same as a copy at every assignment', () => {
  fc.assert(
    fc.property(fc.array(commands, { maxLength: 12 }), (list) => {
      const fresh = () => ({ l: [[0]], m: {} })
      const model: Model = { a: fresh(), b: fresh(), c: fresh() }
      for (const command of list) command.apply(model)
      const start = 'let a = #{l: [[0]], m: #{}}; let b = a; let c = a;'
      const body = list.map(({ source }) => `{ ${source}; }`).join('\n')
      const result = edit(`${FUNCTIONS} ${start} ${body} doc.a = a; doc.b = b; doc.c = c;`)
      expect(result).toBe(JSON.stringify(model))
    }),
    { numRuns: 300 },
  )
})

// Both variables own all their parts before parts of `b` get into `a`.
const OWNING = `
  let a = #{l: [[0]], m: #{}}; let b = #{l: [[0]], m: #{k: [0]}};
  a.l[0].push(1); a.l.push([9]); a.m.z = 1; b.l[0].push(1); b.m.k.push(1);
`

test.each([
  'a = b',
  'a.l = b.l',
  'a.l[-1] = b.l[0]',
  'a.l.push(b.l[0])',
  'a.l += b.l',
  'a.l.append(b.l)',
  'a.l.insert(0, b.l[0])',
  'a.l.splice(0, 1, b.l)',
  'a.l.set(-1, b.l[0])',
  'a.l = a.l + b.l',
  'a.l = [b.l[0]]',
  'a.l = b.l.filter(|e| true)',
  'a.l = b.l.map(|e| e)',
  'a.l = b.l.extract(0)',
  'a.l = b.l.order_by(|x, y| 0)',
  'a.l = b.m.values()',
  'a.l = [b.l.find(|e| true)]',
  'a.l = [b.l.reduce(|s, e| e)]',
  'a.l = []; for e in b.l { a.l.push(e) }',
  'a.l = []; b.l.for_each(|| a.l.push(this))',
  'a.l = []; b.l.map(|e| a.l.push(e))',
  'a.l = take(b.l)',
  'a.l = []; a.l.push(b.l.get(0))',
  'a.l = [b.first()]',
  'a.l = [b?.l[0]]',
  'let e = b.l[0]; a.l = [e]; e.push(7)',
  'a.m.mixin(b.m)',
  'a.m.fill_with(b.m)',
  'a.m += b.m',
  'a.m = b.m.filter(|k, v| true)',
  'a.m.set("k", b.m.get("k"))',
  'let f = || b.l; a.l = f.call()',
  'for e in b.l { e.push(3) }',
  'b.l.map(|e| e.push(3))',
  'b.l.map(|| this.push(3))',
  'b.m.map(|k| this.push(3))',
  'b.l.reduce(|s, e| e.push(3))',
  'grow(b.l[0])',
  '[0].zip(b.l, |x, y| y.push(3))',
])('after %s, changes of one side do not reach the other', (link) => {
  const functions = 'fn take(l) { l } fn grow(l) { l.push(3) } fn first() { this.l[0] }'
  const change = (x: string) => `${x}.l[0].push(5); ${x}.l[-1].push(6); ${x}.m.k?.push(7);`
  const afterA = edit(`${functions} ${OWNING} ${link}; ${change('a')} doc.b = b`)
  expect(afterA).toBe('{"b":{"l":[[0,1]],"m":{"k":[0,1]}}}')
  const unchanged = edit(`${functions} ${OWNING} ${link}; doc.a = a`)
  expect(edit(`${functions} ${OWNING} ${link}; ${change('b')} doc.a = a`)).toBe(unchanged)
})
