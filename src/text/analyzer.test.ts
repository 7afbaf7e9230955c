import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AnalyzerOptions, createAnalyzer } from './analyzer.js'
import { trimWhiteSpace } from './code-points.js'
import type { AllowedLanguages } from './languages.js'
import type { Token } from './token.js'
import { nextStart } from './word-positions.js'

const MARKS = { word: '', stopWord: 'X', softSeparator: 'S', hardSeparator: 'H', empty: 'E' }

/** Tokens as in the spec's tables: `hi ", "H bob`, with a mark behind what is not a word. */
function show(text: string, options: AnalyzerOptions = {}, locales?: AllowedLanguages): string {
  return createAnalyzer(options)
    .tokenize(text, locales)
    .map(({ kind, lemma }) => (kind === 'word' ? lemma : `'${lemma}'${MARKS[kind]}`))
    .join(' ')
}

/** The words only. */
function lemmas(text: string, locales?: AllowedLanguages): string[] {
  return createAnalyzer()
    .tokenize(text, locales)
    .filter(({ kind }) => kind === 'word')
    .map(({ lemma }) => lemma)
}

/** `word:position` for the values of one field. */
function positions(values: readonly string[], options: AnalyzerOptions = {}): string {
  const analyzer = createAnalyzer(options)
  const found: string[] = []
  let last: number | undefined
  for (const text of values) {
    last = analyzer.positionWords({ text, locales: undefined, startPosition: nextStart(last) }, (word, position) => {
      found.push(`${word}:${position}`)
    })
  }
  return found.join(' ')
}

describe('tokens', () => {
  // Spec 5 §1.9.
  test.each([
    ["Hi, Bob! It's 21.5°C… ok", "hi ', 'H bob '!'H ' 'S it '''S s ' 'S 21 '.'S 5°c ... ' 'S ok"],
    ['john.doe@mail-server.com', "john '.'S doe '@'S mail '-'S server '.'S com"],
    ['foo_bar-baz/qux', "foo '_'S bar '-'S baz '/'S qux"],
    ['https://a.com/x?b=c&d=e', "https ':'S '/'S '/'S a '.'S com '/'S x '?'H b=c '&'S d=e"],
    ['2024-01-31T10:00', "2024 '-'S 01 '-'S 31t10 ':'S 00"],
    ['C++ and C#', "c '+'S '+'S ' 'S and ' 'S c '#'S"],
    ['l’été', "l '''S ete"],
    ['wait... what?! no', "wait '.'S '.'S '. 'H what '?'H '!'H ' 'S no"],
    ['10,3', "10 ','S 3"],
    ['10, 3', "10 ', 'H 3"],
    ['"quoted"', `'"'S quoted '"'S`],
    ['<br/>', "<br '/'S >"],
    ['a=b x|y $10 ~tmp', "a=b ' 'S x|y ' 'S $10 ' 'S ~tmp"],
    ['DeLonghi', 'delonghi'],
    ['', ''],
    ['a\0b', "a ''E b"],
    ['Ada. Lovelace\nAda.\nEnd.', "ada '. 'H lovelace '\n'S ada '.'S '\n'S end '.'S"],
  ])('of %j', (text, expected) => {
    expect(show(text)).toBe(expected)
  })

  test('a word is cut where the script changes', () => {
    expect(lemmas('iPhone手机')).toEqual(['iphone', '手机'])
    expect(lemmas('Tシャツ')).toEqual(['t', 'しゃつ'])
  })

  test('text joined by a no-break space is one word with a plain space, and a lone one is a soft separator', () => {
    expect(show('New\u00a0York')).toBe('new york')
    expect(show('a \u00a0 b')).toBe("a ' 'S ' 'S ' 'S b")
  })

  test('no more of them are read than asked for', () => {
    expect(
      createAnalyzer()
        .tokenize('a b c d', undefined, 3)
        .map(({ lemma }) => lemma),
    ).toEqual(['a', ' ', 'b'])
  })

  test('the greek question mark is a semicolon once it is normalized', () => {
    expect(show('τι \u037e')).toBe("τι ' 'S ';'H")
  })
})

describe('separator and dictionary settings', () => {
  const settings = { nonSeparatorTokens: ['+'], separatorTokens: ['|', '<hr>'], dictionary: ['C++', 'D++'] }

  test('they are cut as they are written', () => {
    expect(show('red|blue<hr>C++D++', settings)).toBe("red '|'S blue '<hr>'S c++ d++")
    expect(show('A+B', settings)).toBe('a+b')
    expect(show('x<HR>y', settings)).toBe('x<hr>y')
  })

  test('a dictionary entry is found inside a word', () => {
    expect(show('category', { dictionary: ['cat'] })).toBe('cat egory')
  })

  test('a dictionary entry may hold separators, and case counts', () => {
    const options = { dictionary: ['J. R. R.'] }
    expect(show('J. R. R. Tolkien', options)).toBe("j. r. r. ' 'S tolkien")
    expect(show('j. r. r.', options)).toBe("j '. 'H r '. 'H r '.'S")
  })

  test('removing wins over adding, and leaves shorter separators', () => {
    expect(show('a#b', { separatorTokens: ['#'], nonSeparatorTokens: ['#'] })).toBe('a#b')
    expect(show('a. b', { nonSeparatorTokens: ['. '] })).toBe("a '.'S ' 'S b")
    expect(show('foo_bar', { nonSeparatorTokens: ['_'] })).toBe('foo_bar')
    expect(show('a=b', { separatorTokens: ['='] })).toBe("a '='S b")
  })

  test('the longest of several patterns at one place wins', () => {
    expect(show('abcd', { dictionary: ['a', 'abc', 'ab'] })).toBe('abc d')
    expect(show('ab', { dictionary: ['abc'] })).toBe('ab')
  })

  test('a pattern never reaches over the end of a run', () => {
    expect(show('iPhone手机', { dictionary: ['iPhone手'] }, ['eng'])).toBe('iphone 手机')
  })

  test('empty strings and halves of pairs are ignored', () => {
    expect(show('a🦊b', { dictionary: ['', '\ud83e'], separatorTokens: [''], nonSeparatorTokens: [''] })).toBe('a🦊b')
  })

  test('a pattern beyond the basic plane is found', () => {
    expect(show('a🦊b', { separatorTokens: ['🦊'] })).toBe("a '🦊'S b")
  })
})

describe('lemmas', () => {
  // Spec 5 §1.6.
  test.each([
    ['Ñandú', 'nandu'],
    ['Ångström', 'angstrom'],
    ['Łódź', 'łodz'],
    ['smørrebrød', 'smørrebrød'],
    ['Straße', 'straße'],
    ['İstanbul', 'istanbul'],
    ['ISTANBUL', 'istanbul'],
    ['ıstanbul', 'istanbul'],
    ['Œuvre', 'oeuvre'],
    ['Æsir', 'aesir'],
    ['½', '1⁄2'],
    ['№', 'no'],
    ['H₂O', 'h2o'],
    ['Đà', 'da'],
    ['Buôn', 'buon'],
    ['שָׁלוֹם', 'שלום'],
    ['Ὀδυσσεύς', 'οδυσσευσ'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['синий', 'синии\u0306'],
    ['ＡＢＣ', 'ABC'],
    ['ա', 'ա'],
    ['ԱԲ', 'աբ'],
    ['ﬁn', 'fin'],
    ['①', '1'],
    ['\u0001x', 'x'],
    ['ⴀ', 'ⴀ'],
  ])('%s is %s', (text, lemma) => {
    expect(lemmas(text)).toEqual([lemma])
  })

  test('marks stay in scripts that keep them and count as characters', () => {
    expect([...lemmas('синий')[0]!]).toHaveLength(6)
    expect([...lemmas('한국어').join('')]).toHaveLength(8)
    expect([...lemmas('ガム').join('')]).toHaveLength(3)
  })

  test('swedish letters stay whole in swedish only, also when written with marks', () => {
    expect(lemmas('Ångström trä', ['swe'])).toEqual(['ångström', 'trä'])
    expect(lemmas('tra\u0308', ['swe'])).toEqual(['trä'])
    expect(lemmas('trä traktor', undefined)).toEqual(['tra', 'traktor'])
    expect(lemmas('é', ['swe'])).toEqual(['e'])
  })

  test('a run without letters is neither lower-cased nor stripped', () => {
    expect(lemmas('❤️')).toEqual(['❤\ufe0f'])
    expect(lemmas('I ❤️ you')).toEqual(['i', '❤', 'you'])
  })

  test('arabic loses vowel signs, tatweel and letter variants', () => {
    expect(lemmas('مُحَمَّد')).toEqual(['محمد'])
    expect(lemmas('مدرســة')).toEqual(['مدرسه'])
    expect(lemmas('أحمد')).toEqual(['احمد'])
  })

  test('persian has its own letters and digits', () => {
    expect(lemmas('کتاب ۱۲')).toEqual(['کتاب', '12'])
    expect(lemmas('علي', ['pes'])).toEqual(['علی'])
    expect(lemmas('علي', ['ara'])).toEqual(['علي'])
  })

  test('thai loses its tone marks', () => {
    expect(lemmas('น้ำ').join('')).toBe('นา')
  })

  test('katakana becomes hiragana with long vowels spelled out', () => {
    const japanese = (text: string) => lemmas(text, ['jpn']).join('')
    expect(japanese('トート')).toBe('とうと')
    expect(japanese('バー')).toBe('は\u3099ー')
    expect(japanese('ラーメン')).toBe('らあめん')
    expect(japanese('らーめん')).toBe('らーめん')
    expect(japanese('ヶ')).toBe('ヶ')
  })

  test('half of a surrogate pair becomes the replacement character', () => {
    expect(lemmas('a\ud83eb')).toEqual(['a\ufffdb'])
  })
})

describe('languages', () => {
  const language = (text: string, locales?: AllowedLanguages) => createAnalyzer().tokenize(text, locales)[0]?.language

  test('one allowed language is the language of every run', () => {
    expect(language('abc', ['jpn'])).toBe('jpn')
    expect(language('経済', ['eng'])).toBe('eng')
  })

  test('latin text is not examined unless there is a choice', () => {
    expect(language('Zürich')).toBeUndefined()
    expect(language('Zürich', [])).toBeUndefined()
    expect(language('Zürich', ['jpn', 'kor'])).toBeUndefined()
    expect(language('Zürich', ['deu', 'jpn'])).toBe('deu')
    expect(language('Zürich', ['deu', 'fra'])).toBe('deu')
    expect(language('Åre', ['deu', 'swe'])).toBe('swe')
    expect(language('Köpenhamn', ['swe', 'dan'])).toBe('swe')
    expect(language('abc', ['deu', 'swe'])).toBeUndefined()
  })

  test('han with a share of kana is japanese, without it chinese', () => {
    expect(language('経済の本')).toBe('jpn')
    expect(language('经济的书')).toBe('cmn')
    expect(language('経済')).toBe('cmn')
    expect(language('経済の本', ['zho', 'eng'])).toBe('jpn')
    expect(language('经济', ['eng', 'fra'])).toBe('jpn')
    expect(language('经济', [])).toBe('jpn')
  })

  test('arabic script is told apart by letters of one language', () => {
    expect(language('الكتاب')).toBe('ara')
    expect(language('گربه')).toBe('pes')
    expect(language('لڑکا')).toBe('urd')
    expect(language('گربه', ['ara', 'urd'])).toBe('ara')
    expect(language('گربه', ['eng', 'fra'])).toBeUndefined()
    expect(language('گربه', ['ara', 'eng'])).toBe('ara')
  })

  test('other scripts have no language', () => {
    expect(language('слово')).toBeUndefined()
    expect(language('слово', [])).toBeUndefined()
  })
})

describe('segments', () => {
  test('the arabic article is split off, in arabic and persian', () => {
    expect(lemmas('الكتاب')).toEqual(['ال', 'كتاب'])
    expect(lemmas('ال')).toEqual(['ال'])
    expect(lemmas('الكتاب', ['urd'])).toEqual(['الكتاب'])
  })

  test('chinese words are cut to at most three characters, unknown ones to single characters', () => {
    expect(lemmas('人人生而自由')).toEqual(['人人', '生', '而', '自由'])
    expect(lemmas('中华人民共和国')).toEqual(['中華', '人民', '共和', '國'])
    expect(lemmas('2024年')).toEqual(['2024', '年'])
  })

  test('japanese is cut into short units', () => {
    expect(lemmas('関西国際空港', ['jpn'])).toEqual(['関西', '国際', '空港'])
    expect(lemmas('経済の本')).toEqual(['経済', 'の', '本'])
    expect(lemmas('すもももももももものうち')).toEqual(['すもも', 'も', 'もも', 'も', 'もも', 'の', 'うち'])
  })

  test('variants of ideographs are folded in chinese only', () => {
    expect(lemmas('经济的书')).toEqual(['經濟', '的', '書'])
    expect(lemmas('経済').join('')).toBe('經濟')
    expect(lemmas('経済', ['jpn'])).toEqual(['経済'])
    expect(lemmas('经济', ['jpn']).join('')).toBe('经济')
  })

  test('han text in another single language is not cut', () => {
    expect(lemmas('经济的书', ['eng'])).toEqual(['经济的书'])
  })

  test('korean particles and endings are split off', () => {
    expect(lemmas('학교에서')).toEqual(['학교', '에서'].map((word) => word.normalize('NFD')))
    expect(lemmas('형태소분석을')).toEqual(['형태소', '분석', '을'].map((word) => word.normalize('NFD')))
  })

  test('thai and khmer are cut into words whatever the languages', () => {
    expect(lemmas('ภาษาไทยง่าย', ['eng'])).toEqual(['ภาษา', 'ไทย', 'งาย'])
    expect(lemmas('ភាសាខ្មែរសួស្តី').length).toBeGreaterThan(1)
  })

  test('a piece of numbers and ascii punctuation is kept whole', () => {
    expect(lemmas('価格 $10=٣ の')).toContain('$10=')
    expect(lemmas('ราคา ~๑๒๓~')).toContain('~๑๒๓~')
  })

  test('full-width punctuation ends a run of han, chinese punctuation does not', () => {
    const languages = (text: string) =>
      createAnalyzer()
        .tokenize(text)
        .map(({ language }) => language)
    expect(new Set(languages('経済。の本'))).toEqual(new Set(['jpn']))
    expect(languages('経済！の本')[0]).toBe('cmn')
  })

  test('long text without separators takes time in proportion', () => {
    for (const unit of ['a', 'é', 'ж', 'ا', 'あ', '가', 'ア', '中', 'ก']) {
      const text = unit.repeat(unit === 'é' ? 70_000 : 20_000)
      expect(createAnalyzer().tokenize(text).at(-1)?.end).toBe(text.length)
    }
  })
})

describe('an entry of several tokens', () => {
  test('becomes its lemmas, separators included', () => {
    expect(createAnalyzer().lemmaOf('Half-Blood')).toBe('half-blood')
    expect(createAnalyzer().lemmaOf('iPhone')).toBe('iphone')
  })
})

describe('stop words', () => {
  test('they are compared before lower-casing', () => {
    expect(show('The the', { stopWords: ['the'] })).toBe("the ' 'S 'the'X")
  })

  test('they are decomposed on both sides, except for the swedish letters', () => {
    expect(show('für', { stopWords: ['für'] })).toBe("'fur'X")
    expect(show('können', { stopWords: ['können'] })).toBe('konnen')
    expect(show('können', { stopWords: ['können'] }, ['swe'])).toBe("'können'X")
  })

  test('a separator can be one, several words cannot', () => {
    expect(show('a-b', { stopWords: ['-', 'a b'] })).toBe("a '-'X b")
  })
})

describe('positions', () => {
  // Spec 5 §2.3.
  test.each([
    [['Ada Lovelace, Alan Turing'], 'ada:0 lovelace:1 alan:9 turing:10'],
    [['Ada Lovelace,Alan Turing'], 'ada:0 lovelace:1 alan:2 turing:3'],
    [['A. B.C. D.'], 'a:0 b:8 c:9 d:17'],
    [['a b c', '', 'd'], 'a:0 b:1 c:2 d:18'],
    [['x y', 'z'], 'x:0 y:1 z:9'],
    [[', lead'], 'lead:0'],
    [['! - lead'], 'lead:0'],
    [['a! - ; b'], 'a:0 b:8'],
    [['-5'], '5:0'],
    [['1e+20'], '1e:0 20:1'],
    [['Wait… ok'], 'wait:0 ...:1 ok:2'],
    [['Ada.Lovelace'], 'ada:0 lovelace:1'],
    [['人人生而自由'], '人人:0 生:1 而:2 自由:3'],
    [['a \u00a0\u00a0 b'], 'a:0 b:2'],
    [['\u00a0a\u00a0'], 'a:0'],
    [['a\u0301 \u0301 b'], 'a:0 b:1'],
  ])('of %j', (values, expected) => {
    expect(positions(values)).toBe(expected)
  })

  test('stop words take a position', () => {
    expect(positions(['the cat and the hat'], { stopWords: ['the', 'and'] })).toBe('cat:1 hat:4')
    expect(positions(['the, cat'], { stopWords: ['the'] })).toBe('cat:8')
  })

  test('a word of 251 bytes is not indexed and takes a position', () => {
    expect(positions([`a ${'x'.repeat(251)} b`])).toBe('a:0 b:2')
    expect(positions([`a ${'x'.repeat(250)} b`])).toContain('b:2')
    expect(positions([`a ${'ж'.repeat(126)} b`])).toBe('a:0 b:2')
    expect(positions([`a ${'ж'.repeat(125)} b`])).toContain(':1 b:2')
  })

  test('words at 65,536 and later are not indexed', () => {
    const words = positions(['a '.repeat(65_540)]).split(' ')
    expect(words).toHaveLength(65_536)
    expect(words.at(-1)).toBe('a:65535')
    expect(createAnalyzer().positionWords({ text: 'a', locales: undefined, startPosition: 65_536 }, fail)).toBe(65_536)
  })

  test('a dot before a space keeps names apart', () => {
    expect(positions(['Ada. Lovelace'])).toBe('ada:0 lovelace:8')
  })

  test('a sink may analyze other texts', () => {
    const analyzer = createAnalyzer()
    const found: string[] = []
    analyzer.positionWords({ text: 'one two', locales: undefined, startPosition: 0 }, (outer) => {
      analyzer.positionWords({ text: 'inner', locales: undefined, startPosition: 0 }, (inner) => {
        found.push(`${outer} ${inner}`)
      })
    })
    expect(found).toEqual(['one inner', 'two inner'])
  })

  test('a value with nothing to index returns its start', () => {
    expect(createAnalyzer().positionWords({ text: '!?', locales: undefined, startPosition: 7 }, fail)).toBe(7)
  })

  function fail(): never {
    throw new Error('nothing should be indexed')
  }
})

describe('any text', () => {
  const characters = [...'aB é\u0301İœ.,-!"_ жЙά ςاﷲلب ー漢の가 ก ភ Ա１。、🦊\0\u00a0\ud83e\udd8a\u200c']
  const text = fc.oneof(
    fc.string({ unit: fc.constantFrom(...characters) }),
    fc.string({ unit: 'binary' }),
    fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
  )
  const locales = fc.option(
    fc.uniqueArray(fc.constantFrom('eng', 'swe', 'deu', 'jpn', 'zho', 'cmn', 'ara', 'pes', 'kor'), { maxLength: 3 }),
    { nil: undefined },
  )
  const options = fc.record(
    {
      stopWords: fc.array(fc.constantFrom('a', 'é', '-', 'ж')),
      separatorTokens: fc.array(fc.constantFrom('B', 'aB', '🦊', 'の')),
      nonSeparatorTokens: fc.array(fc.constantFrom('.', '. ', '-', '。')),
      dictionary: fc.array(fc.constantFrom('a.', 'aé', '漢の', 'ب')),
    },
    { requiredKeys: [] },
  )

  test('the tokens tile it, in units and in bytes', () => {
    fc.assert(
      fc.property(text, locales, options, (content, allowed, settings) => {
        const tokens = createAnalyzer(settings).tokenize(content, allowed)
        expect(tokens.map(({ start, end }) => content.slice(start, end)).join('')).toBe(content)
        expectTouching(tokens)
        expect(tokens.at(-1)?.byteEnd ?? 0).toBe(Buffer.byteLength(content))
      }),
      { numRuns: 300 },
    )
  })

  test('documents and queries see the same words', () => {
    const known = createAnalyzer()
    fc.assert(
      fc.property(text, locales, options, (content, allowed, settings) => {
        const analyzer = createAnalyzer(settings)
        const expected = wordsByTokens(analyzer.tokenize(content, allowed))
        expect(wordsByPositions(createAnalyzer(settings), content, allowed)).toEqual(expected)
        // An analyzer that has seen other texts says the same.
        expect(wordsByPositions(known, content, allowed)).toEqual(
          wordsByTokens(createAnalyzer().tokenize(content, allowed)),
        )
      }),
      { numRuns: 300 },
    )
  })

  function expectTouching(tokens: readonly Token[]): void {
    tokens.forEach((token, i) => {
      expect(token.start).toBe(tokens[i - 1]?.end ?? 0)
      expect(token.byteStart).toBe(tokens[i - 1]?.byteEnd ?? 0)
      expect(token.end).toBeGreaterThan(token.start)
    })
  }

  function wordsByTokens(tokens: readonly Token[]): string[] {
    const words = tokens.filter(({ kind }) => kind === 'word').map(({ lemma }) => trimWhiteSpace(lemma))
    return words.filter((word) => word !== '' && Buffer.byteLength(word) <= 250)
  }

  function wordsByPositions(analyzer: ReturnType<typeof createAnalyzer>, content: string, allowed: AllowedLanguages) {
    const words: string[] = []
    analyzer.positionWords({ text: content, locales: allowed, startPosition: 0 }, (word) => words.push(word))
    return words
  }
})
