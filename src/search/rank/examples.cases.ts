import type { RankRequest, ScoreDetail } from './model.js'

/** A document; a plain text stands for one with the field `text`. Its number is its place in the list. */
export type ExampleDocument = string | Readonly<Record<string, unknown>>

export interface ExampleQuery {
  readonly request: Partial<RankRequest>
  /** Documents in their order. */
  readonly ids: readonly number[]
  readonly total?: number
  /** `_rankingScore` of each. */
  readonly scores?: readonly number[]
  /** What a rule says of each document, as `rank/max`, `typo count/max` or the type of match. */
  readonly details?: Readonly<Partial<Record<ScoreDetail['rule'], readonly string[]>>>
}

/** A worked example of the spec. */
export interface RankExample {
  readonly name: string
  readonly documents: readonly ExampleDocument[]
  /** As a settings request holds them. */
  readonly settings?: Readonly<Record<string, unknown>>
  readonly queries: readonly ExampleQuery[]
}

/** Only which documents are found is of interest: they come by number. */
const unranked = { rankingRules: [] }
const typosOff = { ...unranked, typoTolerance: { enabled: false } }
const onlyTypo = { rankingRules: ['typo'] }

function find(q: string, ids: readonly number[], request: Partial<RankRequest> = {}): ExampleQuery {
  return { request: { q, ...request }, ids }
}

function findAll(q: string, ids: readonly number[]): ExampleQuery {
  return find(q, ids, { matchingStrategy: 'all' })
}

const boards = [
  'red snow boards here',
  'one snow board left',
  'cheap snowboards here',
  'one snowboard left',
  'one snowbeard left',
  'snowboarding season',
  'qr s',
]

const furniture = ['', 'green chair', 'green lamp', 'green table', 'old green table', 'small table', 'greem sofa']

/** In byte order. */
const words1500 = Array.from({ length: 1500 }, (_, i) => `abcde${i}`).sort()

export const derivationExamples: readonly RankExample[] = [
  {
    name: 'a change of the first character counts double (spec 5 §4.3)',
    documents: [
      ...['snartphone', 'smartphones', 'smartfone', 'smrtphne', 'martphone', 'xmartphone', 'msartphone', 'xmartphon'],
    ],
    settings: onlyTypo,
    queries: [
      {
        request: { q: 'smartphone ', matchingStrategy: 'all' },
        ids: [0, 1, 2, 3, 4, 5, 6],
        details: { typo: ['1/2', '1/2', '2/2', '2/2', '2/2', '2/2', '2/2'] },
      },
    ],
  },
  {
    name: 'a word of five letters may have one typo, and the last one may be a beginning (spec 5 §4.3)',
    documents: [
      ...['phone', 'phones', 'phonetic', 'prone', 'pone', 'phnoe', 'phony', 'phoenix', 'hone', 'iphone', 'photo'],
    ],
    settings: onlyTypo,
    queries: [
      {
        request: { q: 'phone ' },
        ids: [0, 1, 3, 4, 5, 6],
        details: { typo: ['0/1', '1/1', '1/1', '1/1', '1/1', '1/1'] },
      },
      {
        request: { q: 'phone' },
        ids: [0, 1, 2, 3, 4, 5, 6, 7],
        details: { typo: ['0/1', '0/1', '0/1', '1/1', '1/1', '1/1', '1/1', '1/1'] },
      },
    ],
  },
  {
    name: 'neighbouring words are read together, and words are split (spec 5 §4.8)',
    documents: boards,
    settings: unranked,
    queries: [
      findAll('snow beard', [0, 1, 2, 3, 4, 5]),
      findAll('snowb ea rd', [4]),
      findAll('snowb oa rd', [1, 2, 3, 5]),
      findAll('snowboard ', [1, 2, 3, 4]),
      findAll('"snow" board', [0, 1]),
      findAll('"snow" "board"', [1]),
      findAll('qrs', [6]),
      findAll('snowb oard ', [1, 2, 3, 4]),
    ],
  },
  {
    name: 'without typos words are still completed, read together and split (spec 5 §4.8)',
    documents: boards,
    settings: typosOff,
    queries: [
      findAll('snow board', [0, 1, 2, 3, 5]),
      findAll('snow board ', [1, 3]),
      findAll('sno wb o', [2, 3, 5]),
      findAll('snowboard ', [1, 3]),
    ],
  },
  {
    name: 'texts are cut at separators only (spec 5 §8, cases 1-10)',
    documents: [
      'DeLonghi Straße Łódź Œuvre İstanbul',
      'a=b foo_bar New\u00a0York',
      'Wait… ok',
      'Ada.Lovelace',
      'Ada. Lovelace',
      { tags: ['x', 'y'] },
      { price: 10.5, count: -5, isNew: true, nothing: null },
      `before ${'w'.repeat(251)} after`,
    ],
    settings: unranked,
    queries: [
      find('delonghi', [0]),
      find('longhi ', []),
      find('straße ', [0]),
      find('strasse ', []),
      find('łodz ', [0]),
      find('oeuvre ', [0]),
      find('istanbul ', [0]),
      find('a=b', [1]),
      find('b ', []),
      find('bar ', [1]),
      find('new', [1]),
      find('york ', []),
      find('"wait ok"', []),
      find('"ada lovelace"', [3]),
      find('"x y"', []),
      find('10 ', [6]),
      find('"10 5"', [6]),
      find('-"10 5" true', []),
      find('true', [6]),
      find('null', []),
      find('"before after"', []),
      find(`${'w'.repeat(251)} `, []),
    ],
  },
  {
    name: 'exact attributes and numbers know completions but no typos (spec 5 §8, cases 18-19)',
    documents: [{ code: '12345678' }, { sku: 'ABCDEF' }, { title: 'abcdef' }],
    settings: { ...unranked, typoTolerance: { disableOnNumbers: true, disableOnAttributes: ['sku'] } },
    queries: [
      find('1234567', [0]),
      find('12345679', []),
      find('abcdef ', [1, 2]),
      find('abcde', [1, 2]),
      find('abcdeg ', [2]),
    ],
  },
  {
    name: 'numbers of letters allow typos (spec 5 §8, cases 31-34)',
    documents: ['phone', 'smartphone', 'синий', 'lamp'],
    settings: unranked,
    queries: [
      find('lamq ', []),
      find('hpone ', []),
      find('phnoe ', [0]),
      find('xmartphone ', [1]),
      find('xmartphon ', []),
      find('синии ', [2]),
    ],
  },
  {
    name: 'a listed word has no typos, but is one (spec 5 §8, case 34)',
    documents: ['phone', 'prone'],
    settings: { ...unranked, typoTolerance: { disableOnWords: ['phone'] } },
    queries: [find('phone ', [0]), find('prone ', [0, 1])],
  },
  {
    name: 'only short beginnings reach more than a thousand words (spec 5 §8, case 36)',
    documents: [words1500.slice(0, 1000), words1500.slice(1000)].map((words) => words.join(' ')),
    settings: unranked,
    queries: [find('abcde', [0]), find('abcd', [0, 1])],
  },
  {
    name: 'a word has at most fifty synonyms (spec 5 §8, case 37)',
    documents: Array.from({ length: 60 }, (_, i) => `value${String(i).padStart(2, '0')}`),
    settings: {
      ...unranked,
      synonyms: { key: Array.from({ length: 60 }, (_, i) => `value${String(i).padStart(2, '0')}`) },
    },
    queries: [
      find(
        'key ',
        Array.from({ length: 50 }, (_, i) => i),
      ),
    ],
  },
  {
    name: 'synonyms of several words belong to the words read together (spec 5 §8, cases 38-40)',
    documents: ['nyc', 'nycs', 'big apple', 'new york city', 'city of new york'],
    settings: {
      ...unranked,
      synonyms: { 'big apple': ['nyc'], 'one two three four': ['nyc'], ny: ['new york'], bigapple: ['nycs'] },
    },
    queries: [
      findAll('big apple', [0, 1, 2]),
      findAll('"big apple"', [2]),
      findAll('big, apple', [2]),
      findAll('one two three four', []),
      findAll('ny ', [3, 4]),
      findAll('ny city', [3, 4]),
    ],
  },
  {
    name: 'a stop word in a phrase keeps its place (spec 5 §8, case 41)',
    documents: ['end of story', 'end to story', 'end story', 'end to that story', 'story end'],
    settings: { ...unranked, stopWords: ['of'] },
    queries: [find('"end of story"', [0, 1, 2])],
  },
]

export const queryExamples: readonly RankExample[] = [
  {
    name: 'queries without words find all (spec 5 §8, case 20)',
    documents: ['helloworld', 'foo', 'foobar'],
    settings: unranked,
    queries: [
      ...['', '   ', '!!!', '""'].map((q) => find(q, [0, 1, 2])),
      find('hello', [0]),
      find('hello ', []),
      find('hello!', []),
      find('-foo', [0, 2]),
      find('- foo', [1, 2]),
      find('--foo', [1, 2]),
      find('"foo', [1]),
      find('"fo', []),
    ],
  },
  {
    name: 'a negative word has no synonyms (spec 5 §8, case 24)',
    documents: ['foo', 'bar', 'foo bar'],
    settings: { ...unranked, synonyms: { foo: ['bar'] } },
    queries: [find('foo', [0, 1, 2]), find('foo -foo', [1])],
  },
  {
    name: 'a hard separator makes two phrases (spec 5 §8, case 26)',
    documents: ['two and then one', 'one two', 'one'],
    settings: unranked,
    queries: [find('"one, two"', [0, 1]), find('"one two"', [1])],
  },
  {
    name: 'ten words count (spec 5 §8, case 27)',
    documents: ['a b c d e f g h i j', 'a b c d e f g h i jj', 'a b c d e f g h i j k'],
    settings: unranked,
    queries: [
      findAll('a b c d e f g h i j', [0, 1, 2]),
      findAll('a b c d e f g h i j zzz -k', [0, 2]),
      findAll('a b c d e f g h i j zzz', [0, 2]),
    ],
  },
  {
    name: 'completions can be switched off (spec 5 §8, case 28)',
    documents: ['hello', 'hel'],
    settings: { ...unranked, prefixSearch: 'disabled' },
    queries: [find('hel', [1])],
  },
  {
    name: 'words disappear from the end, or the frequent ones first (spec 5 §5.5)',
    documents: furniture,
    queries: [
      find('green table', [3, 4, 1, 2, 6]),
      findAll('green table', [3, 4]),
      find('green table', [3, 4, 5], { matchingStrategy: 'frequency' }),
      find('table green', [3, 4, 5]),
      findAll('table green', [3, 4]),
      find('table green', [3, 4, 5], { matchingStrategy: 'frequency' }),
      { ...find('green zzzz table', [1, 2, 3, 4, 6]), details: { words: ['1/3', '1/3', '1/3', '1/3', '1/3'] } },
      findAll('green zzzz table', []),
      find('green zzzz table', [3, 4, 5], { matchingStrategy: 'frequency' }),
      find('zzzz green', []),
      findAll('zzzz green', []),
      find('zzzz green', [4, 1, 2, 3, 6], { matchingStrategy: 'frequency' }),
    ],
  },
  {
    name: 'the order of words matters where frequent ones go first (spec 5 §5.4)',
    documents: ['common rarest', 'common rare', 'common rare', 'common', 'rarest', 'common rare rarest', 'rare'],
    settings: { rankingRules: ['words'] },
    queries: [
      {
        request: { q: 'common rare rarest ', matchingStrategy: 'frequency' },
        ids: [5, 0, 4],
        details: { words: ['3/3', '2/3', '1/3'] },
      },
      {
        request: { q: 'rare common rarest ', matchingStrategy: 'frequency' },
        ids: [5, 0, 4],
        details: { words: ['3/3', '1/3', '1/3'] },
      },
    ],
  },
  {
    name: 'a skipped word takes the words behind it along (spec 5 §5.5)',
    documents: ['old red barn', 'old redbarn', 'old red', 'oldred', 'old barn', 'old', 'red barn'],
    settings: { rankingRules: ['words'] },
    queries: [
      {
        request: { q: 'old red barn ' },
        ids: [0, 1, 2, 3, 4, 5],
        details: { words: ['3/3', '3/3', '2/3', '2/3', '1/3', '1/3'] },
      },
    ],
  },
  {
    name: 'phrases stay, all words may go (spec 5 §5.5)',
    documents: [
      'hot dog stand open',
      'hot dog stand',
      'hot dog open',
      'dog hot stand open',
      'my blue car',
      'blue',
      'my car',
    ],
    settings: { rankingRules: ['words'] },
    queries: [
      {
        request: { q: '"hot dog" stand open ' },
        ids: [0, 1, 2],
        details: { words: ['4/4', '3/4', '2/4'] },
      },
      { request: { q: 'my "blue" car ' }, ids: [4, 5], details: { words: ['3/3', '1/3'] } },
    ],
  },
]

/** Words of a text of this length. */
function numbered(count: number): string {
  return Array.from({ length: count }, (_, i) => `w${i}`).join(' ')
}

export const ruleExamples: readonly RankExample[] = [
  {
    name: 'words: all of them, then fewer from the end (spec 6 §13, case 17)',
    documents: ['a b c', 'a b', 'a', 'b c', 'batman'],
    settings: { rankingRules: ['words'] },
    queries: [
      { request: { q: 'a b c ' }, ids: [0, 1, 2], total: 3, details: { words: ['3/3', '2/3', '1/3'] } },
      { request: { q: 'zzzz batman' }, ids: [], total: 0 },
      { request: { q: 'a a ' }, ids: [0, 1, 2], details: { words: ['2/2', '2/2', '2/2'] } },
    ],
  },
  {
    name: 'words: the frequent one goes first (spec 6 §13, case 18)',
    documents: ['garden chair', 'garden', 'garden', 'chair', 'one', 'two', 'sunflower'],
    settings: { rankingRules: ['words'] },
    queries: [
      {
        request: { q: 'garden chair ', matchingStrategy: 'frequency' },
        ids: [0, 3],
        details: { words: ['2/2', '1/2'] },
      },
      { request: { q: 'sun flower ' }, ids: [6], details: { words: ['2/2'] } },
      { request: { q: 'one two ', matchingStrategy: 'frequency' }, ids: [] },
    ],
  },
  {
    name: 'words: no such rule when all words are needed (spec 6 §13, case 19)',
    documents: ['a b', 'a'],
    queries: [{ request: { q: 'a b ', matchingStrategy: 'all' }, ids: [0], details: { words: [] } }],
  },
  {
    name: 'typo: words read together raise the maximum (spec 6 §4.5)',
    documents: ['a b c d e f g h i', 'mobile device', 'cell phone'],
    settings: { rankingRules: ['typo'], synonyms: { 'cell phone': ['mobile device'] } },
    queries: [
      { request: { q: 'a b c d e f g h i ', matchingStrategy: 'all' }, ids: [0], details: { typo: ['0/13'] } },
      { request: { q: 'cell phone ' }, ids: [2, 1], details: { typo: ['0/3', '2/3'] } },
    ],
  },
  {
    name: 'proximity: near words before far ones (spec 6 §4.6, §13, cases 21-22)',
    documents: [
      'paint fence',
      'paint your fence',
      'fence paint',
      'fence your paint',
      'fence and your paint',
      'paint. Fence',
      { text: 'paint', other: 'fence' },
    ],
    settings: { rankingRules: ['proximity'] },
    queries: [
      {
        request: { q: 'paint fence ' },
        ids: [0, 1, 2, 3, 4, 5, 6],
        details: { proximity: ['4/4', '3/4', '3/4', '2/4', '1/4', '1/4', '1/4'] },
      },
    ],
  },
  {
    name: 'proximity by attribute: in the same one or not (spec 6 §13, case 22)',
    documents: ['paint fence', 'fence and your very old paint', { text: 'paint', other: 'fence' }],
    settings: { rankingRules: ['proximity'], proximityPrecision: 'byAttribute' },
    queries: [{ request: { q: 'paint fence ' }, ids: [0, 1, 2], details: { proximity: ['4/4', '4/4', '1/4'] } }],
  },
  {
    name: 'proximity: a stop word between two words parts them (spec 6 §13, case 23)',
    documents: ['end of story', 'story at the end'],
    settings: { rankingRules: ['proximity'], stopWords: ['of'] },
    queries: [{ request: { q: 'end of story ' }, ids: [0, 1], details: { proximity: ['1/1', '1/1'] } }],
  },
  {
    name: 'words read together: cost of each rule (spec 6 §4.6, §13, case 24)',
    documents: ['football', 'football game', 'foot ball game'],
    settings: { rankingRules: ['typo', 'wordPosition'] },
    queries: [
      {
        request: { q: 'foot ball ' },
        ids: [2, 0, 1],
        details: { typo: ['0/3', '2/3', '2/3'], wordPosition: ['21/21', '20/21', '20/21'] },
      },
    ],
  },
  {
    name: 'proximity: entering words read together costs their number less one (spec 6 §4.6)',
    documents: ['football game', 'foot ball game'],
    settings: { rankingRules: ['proximity'] },
    queries: [{ request: { q: 'foot ball game ' }, ids: [1, 0], details: { proximity: ['7/7', '6/7'] } }],
  },
  {
    name: 'attributeRank: each word by its best attribute (spec 6 §4.7)',
    documents: [
      { title: 'star wars', overview: 'x' },
      { title: 'wars', overview: 'star' },
      { title: 'x', overview: 'star wars' },
    ],
    settings: { rankingRules: ['attributeRank'], searchableAttributes: ['title', 'overview'] },
    queries: [{ request: { q: 'star wars ' }, ids: [0, 1, 2], details: { attributeRank: ['3/3', '2/3', '1/3'] } }],
  },
  {
    name: 'default rules: paint your fence (spec 6 §4.8, §13, case 20)',
    documents: ['how to paint your fence'],
    queries: [
      {
        request: { q: 'paint fence' },
        ids: [0],
        details: {
          proximity: ['3/4'],
          wordPosition: ['17/21'],
          exactAttribute: ['noExactMatch'],
          exactWords: ['2/2'],
        },
      },
    ],
  },
  {
    name: 'exactness: the attribute, its beginning, the words (spec 6 §4.9, §13, case 25)',
    documents: ['Red apple', 'Red apple pie', 'A red apple', 'Red apples'],
    settings: { rankingRules: ['exactness'] },
    queries: [
      {
        request: { q: 'red apple', matchingStrategy: 'all' },
        ids: [0, 1, 2, 3],
        scores: [1, 2 / 3, 1 / 3, 2 / 9],
        details: {
          exactAttribute: ['exactMatch', 'matchesStart', 'noExactMatch', 'noExactMatch'],
          exactWords: ['2/2', '2/2', '2/2', '1/2'],
        },
      },
    ],
  },
  {
    name: 'exactness: wordPosition decides first with the default rules (spec 6 §13, case 25)',
    documents: ['Red apple', 'Red apple pie', 'A red apple', 'Red apples'],
    queries: [find('red apple', [0, 1, 3, 2])],
  },
  {
    name: 'exactness: only the surviving query counts (spec 6 §4.9)',
    documents: ['red apple', 'pie'],
    settings: { rankingRules: ['exactness'] },
    queries: [{ request: { q: 'red apple pie ' }, ids: [0], details: { exactAttribute: ['exactMatch'] } }],
  },
  {
    name: 'exactness: more than thirty words are not counted (spec 6 §4.9)',
    documents: [numbered(30), numbered(31), numbered(40)],
    settings: { rankingRules: ['exactness'] },
    queries: [
      {
        request: { q: `"${numbered(30)}"` },
        ids: [0, 1, 2],
        details: { exactAttribute: ['exactMatch', 'matchesStart', 'matchesStart'] },
      },
      {
        request: { q: `"${numbered(31)}"` },
        ids: [1, 2],
        details: { exactAttribute: ['matchesStart', 'matchesStart'] },
      },
    ],
  },
  {
    name: 'exactness: an attribute that is not searched on is no match (spec 6 §1.5)',
    documents: [{ title: 'sun flower', text: 'the sun flower' }],
    settings: { rankingRules: ['exactness'] },
    queries: [
      { request: { q: 'sun ' }, ids: [0], details: { exactAttribute: ['matchesStart'] } },
      {
        request: { q: 'sun ', attributesToSearchOn: ['text'] },
        ids: [0],
        details: { exactAttribute: ['matchesStart'] },
      },
      {
        request: { q: 'sun flower ', attributesToSearchOn: ['text'] },
        ids: [0],
        details: { exactAttribute: ['matchesStart'] },
      },
      { request: { q: 'sun flower ' }, ids: [0], details: { exactAttribute: ['exactMatch'] } },
    ],
  },
  {
    name: 'the score of a document with every rule (spec 6 §5.1, §13, case 26)',
    documents: ['Coffee mug with handle'],
    queries: [
      {
        request: { q: 'cofee mug handle' },
        ids: [0],
        scores: [0.904089861751152],
        details: {
          words: ['3/3'],
          typo: ['1/3'],
          proximity: ['6/7'],
          attributeRank: ['1/1'],
          wordPosition: ['30/31'],
          exactAttribute: ['noExactMatch'],
          exactWords: ['2/3'],
        },
      },
    ],
  },
]

const groups = ['a', 'a', 'a', 'a', 'b', 'b', 'b', 'c', 'd', 'd'].map((group) => ({ group }))
const mixed = [{ value: 3 }, { value: 'b' }, { value: true }, { value: null }, {}, { value: 'A' }]

export const totalExamples: readonly RankExample[] = [
  {
    name: 'a threshold drops what scores lower (spec 6 §13, cases 27-28)',
    documents: ['red apple', 'red apples', 'red', 'a red apple'],
    queries: [
      { request: { q: 'red apple pie ', threshold: 1 }, ids: [], total: 0 },
      { request: { q: 'red apple ', threshold: 1, isExhaustive: true, depth: 1 }, ids: [0], total: 1 },
      { request: { q: 'red apple ', threshold: 0.1, isExhaustive: true, depth: 0 }, ids: [], total: 4 },
      { request: { q: 'red apple ', threshold: 0.6, isExhaustive: true, depth: 1 }, ids: [0], total: 3 },
      { request: { q: 'red apple ', threshold: 0.6, depth: 1 }, ids: [0], total: 4 },
    ],
  },
  {
    name: 'a search without time is not ranked (spec 6 §13, case 29)',
    documents: ['red', 'red apple', 'red apple'],
    queries: [
      {
        request: { q: 'red apple', deadline: Number.NEGATIVE_INFINITY },
        ids: [0, 1, 2],
        scores: [0, 0, 0],
        details: { skipped: ['', '', ''], words: [] },
      },
    ],
  },
  {
    name: 'numbers come before strings in both directions (spec 6 §13, case 30)',
    documents: mixed,
    settings: { sortableAttributes: ['value'] },
    queries: [
      { request: { sort: [{ kind: 'attribute', attribute: 'value', direction: 'asc' }] }, ids: [0, 5, 1, 2, 3, 4] },
      { request: { sort: [{ kind: 'attribute', attribute: 'value', direction: 'desc' }] }, ids: [0, 2, 1, 5, 3, 4] },
    ],
  },
  {
    name: 'the first rule for a field decides its direction (spec 6 §13, case 31)',
    documents: [{ price: 1 }, { price: 3 }, { price: 2 }],
    settings: { rankingRules: ['price:desc', 'sort'], sortableAttributes: ['price'] },
    queries: [
      {
        request: { sort: [{ kind: 'attribute', attribute: 'price', direction: 'asc' }] },
        ids: [1, 2, 0],
        details: { sort: ['3', '2', '1'] },
      },
    ],
  },
  {
    name: 'distinct counts what it has seen (spec 6 §2.5, §13, case 59)',
    documents: groups,
    settings: { filterableAttributes: ['group'] },
    queries: [
      { request: { distinct: 'group', depth: 1 }, ids: [0], total: 7 },
      { request: { distinct: 'group', depth: 2 }, ids: [0, 4], total: 5 },
      { request: { distinct: 'group', depth: 4 }, ids: [0, 4, 7, 8], total: 4 },
      { request: { distinct: 'group', depth: 0 }, ids: [], total: 10 },
      { request: { distinct: 'group', depth: 1, isExhaustive: true }, ids: [0], total: 4 },
      { request: { distinct: 'group', depth: 0, isExhaustive: true }, ids: [], total: 4 },
      { request: { distinct: 'unknown', depth: 2 }, ids: [0, 1], total: 10 },
    ],
  },
  {
    name: 'words count only in the attributes to search on (spec 6 §13, case 15)',
    documents: [{ title: 'lamp' }, { text: 'lamp' }, { details: { title: 'lamp' } }],
    settings: unranked,
    queries: [
      find('lamp', [0], { attributesToSearchOn: ['title'] }),
      find('lamp', [2], { attributesToSearchOn: ['*.title'] }),
      find('lamp', [0, 1, 2], { attributesToSearchOn: ['*', 'nope'] }),
      find('lamp', [], { attributesToSearchOn: ['nope'] }),
      find('lamp', [], { attributesToSearchOn: ['details'] }),
      find('lamp', [], { attributesToSearchOn: [] }),
      find('-lamp', [1, 2], { attributesToSearchOn: ['title'] }),
      find('', [0, 1, 2], { attributesToSearchOn: [] }),
    ],
  },
]

export const rankExamples: readonly RankExample[] = [
  ...derivationExamples,
  ...queryExamples,
  ...ruleExamples,
  ...totalExamples,
]

/** What a detail says, shortly. */
export function detailText(detail: ScoreDetail): string {
  switch (detail.rule) {
    case 'words':
    case 'exactWords':
      return `${detail.matching}/${detail.max}`
    case 'typo':
      return `${detail.count}/${detail.max}`
    case 'proximity':
    case 'attributeRank':
    case 'wordPosition':
      return `${detail.rank}/${detail.max}`
    case 'exactAttribute':
      return detail.type
    case 'sort':
      return String(detail.value)
    case 'geoSort':
    case 'skipped':
      return ''
  }
}
