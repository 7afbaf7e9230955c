import { describe, expect, test } from 'vitest'
import { createAnalyzer } from '../../text/index.js'
import { parseQuery } from './parse-query.js'

const analyzer = createAnalyzer({ stopWords: ['the', 'of'] })

/** Terms as `end(0)`, prefixes with `P`, phrases as `[end ∅ story](0-2)`, negatives with a leading minus. */
function read(q: string, isPrefixSearch = true): string[] {
  const { terms, negativeWords, negativePhrases } = parseQuery(analyzer.tokenize(q), isPrefixSearch)
  const phraseText = (words: readonly (string | null)[]) => `[${words.map((word) => word ?? '∅').join(' ')}]`
  return [
    ...terms.map((term) =>
      term.kind === 'word'
        ? `${term.word}(${term.position}${term.isPrefix ? ',P' : ''})`
        : `${phraseText(term.words)}(${term.first}-${term.last})`,
    ),
    ...negativeWords.map((word) => `-${word}`),
    ...negativePhrases.map((words) => `-${phraseText(words)}`),
  ]
}

describe('the table of spec 5 §3.5', () => {
  test.each([
    ['end of story', ['end(0)', 'story(2,P)']],
    ['end of story ', ['end(0)', 'story(2)']],
    ['story the', ['story(0)', 'the(1,P)']],
    ['the ', []],
    ['The ', ['the(0)']],
    ['snow-board', ['snow(0)', 'board(1,P)']],
    ['paris, texas', ['paris(0)', 'texas(8,P)']],
    ['"new york" pizza', ['[new york](0-1)', 'pizza(2,P)']],
    ['"one, two"', ['[one](0-0)', '[two](8-8)']],
    ['"one,two"', ['[one two](0-1)']],
    ['foo "bar baz', ['foo(0)', '[bar baz](1-2)']],
    ['foo ""', ['foo(0)']],
    ['"of the"', []],
    ['"end of story"', ['[end ∅ story](0-2)']],
    ['a "b"c', ['a(0)', '[b](1-1)', 'c(2,P)']],
    ['-cheap hotel', ['hotel(1,P)', '-cheap']],
    ['- cheap', ['cheap(0,P)']],
    ['--cheap', ['cheap(0,P)']],
    ['a-cheap', ['a(0)', 'cheap(1,P)']],
    ['-"very cheap" hotel', ['hotel(2,P)', '-[very cheap]']],
    ['-"a, b"', ['-[a]', '-[b]']],
    ['!foo', ['foo(7,P)']],
    ['   ', []],
    ['!!!', []],
    ['""', []],
  ])('%s', (q, expected) => {
    expect(read(q)).toEqual(expected)
  })

  test('only ten terms are read, and the tenth is a prefix only when nothing follows', () => {
    const words = 'a b c d e f g h i j'.split(' ')
    expect(read(words.join(' '))).toHaveLength(10)
    expect(read(words.join(' ')).at(-1)).toBe('j(9,P)')
    expect(read(`${words.join(' ')} k -a "b`)).toEqual(words.map((word, i) => `${word}(${i})`))
  })

  test('a phrase that begins with a stop word keeps its place and starts at its first real word', () => {
    expect(read('"the end"')).toEqual(['[∅ end](1-1)'])
  })

  test('without prefix search the last word is a word like the others', () => {
    expect(read('hel', false)).toEqual(['hel(0)'])
  })
})
