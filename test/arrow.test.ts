import { expect, test } from 'vitest'
import { findArrowProblems } from '../scripts/arrow.js'

const tree = (files: Record<string, string>) =>
  findArrowProblems(Object.entries(files).map(([path, text]) => ({ path, text })))

test('a tree that keeps the rules has no problems', () => {
  const files = {
    'errors/index.ts': `export { row } from './catalogue.js'`,
    'errors/catalogue.ts': `import type { Size } from './size.js'\nexport const row: Size = 1`,
    'errors/size.ts': 'export type Size = number',
    'index/index.ts': `import { row } from '../errors/index.js'\nimport lmdb from 'lmdb'\nexport const both = [row, lmdb]`,
    'index/index.test.ts': `import { both } from './index.js'\nboth.push()`,
    'cli.ts': `import { both } from './index/index.js'\nboth.push()`,
  }
  expect(tree(files)).toEqual([])
})

test('a lower room may not import a higher one, in whatever form', () => {
  const text = [
    `import { match } from '../match/index.js'`,
    `import type { Hit } from '../match/index.js'`,
    `export * from '../match/index.js'`,
    `type Page = import('../match/index.js').Page`,
    `const later = await import('../match/index.js')`,
  ]
  const problem = 'src/index/a.ts: imports src/match/index.ts, against the arrow'
  for (const line of text) expect(tree({ 'index/a.ts': line })).toEqual([problem])
})

test('rooms of one height may not import each other, nor the files above all rooms', () => {
  expect(tree({ 'json/a.ts': `import '../store/index.js'`, 'server/b.ts': `import '../cli.js'` })).toEqual([
    'src/json/a.ts: imports src/store/index.ts, against the arrow',
    'src/server/b.ts: imports src/cli.ts, against the arrow',
  ])
})

test('other rooms are entered through the door', () => {
  const files = { 'match/a.ts': `import type { Row } from '../errors/catalogue.js'` }
  expect(tree(files)).toEqual(['src/match/a.ts: passes the door of errors (src/errors/catalogue.ts)'])
})

test('a room does not use its own door', () => {
  expect(tree({ 'text/words.ts': `import { a } from './index.js'` })).toEqual([
    'src/text/words.ts: imports its own door',
  ])
})

test('a circle of files is found at any length, types or not, and what leads to it is not blamed', () => {
  const files = {
    'text/start.ts': `import './a.js'`,
    'text/a.ts': `import { b } from './b.js'`,
    'text/b.ts': `export { c } from './c.js'\nimport './end.js'`,
    'text/c.ts': `import type { A } from './a.js'`,
    'text/end.ts': '',
  }
  expect(tree(files)).toEqual([
    'src/text/a.ts: imports src/text/b.ts, in a circle of files',
    'src/text/b.ts: imports src/text/c.ts, in a circle of files',
    'src/text/c.ts: imports src/text/a.ts, in a circle of files',
  ])
})

test('folders of a room do not import each other in a circle; a file of the room itself counts as one', () => {
  const files = {
    'text/words/a.ts': `import '../marks/b.js'`,
    'text/marks/b.ts': `import type { C } from '../rules.js'`,
    'text/rules.ts': `import '../text/words/d.js'`,
    'text/words/d.ts': '',
  }
  expect(tree(files)).toEqual([
    'src/text/words: imports src/text/marks, in a circle of folders',
    'src/text/marks: imports src/text/rules.ts, in a circle of folders',
    'src/text/rules.ts: imports src/text/words, in a circle of folders',
  ])
})

test('tests may use what tests of lower rooms share, past their doors', () => {
  expect(
    tree({
      'match/a.test.ts': `import '../folder/temporary.fixture.js'`,
      'match/b.ts': `import '../folder/temporary.fixture.js'`,
    }),
  ).toEqual(['src/match/b.ts: passes the door of folder (src/folder/temporary.fixture.ts)'])
})

test('a folder without a place in the arrow is refused', () => {
  expect(tree({ 'utils/a.ts': '' })).toEqual(['src/utils: a room without a place in the arrow'])
})
