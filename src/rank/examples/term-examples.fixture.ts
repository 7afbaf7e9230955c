import { find, findAll, onlyTypo, type RankExample, typosOff, unranked } from './example.fixture.js'

const boards = [
  'red snow boards here',
  'one snow board left',
  'cheap snowboards here',
  'one snowboard left',
  'one snowbeard left',
  'snowboarding season',
  'qr s',
]

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
    name: 'a word of five letters may have one typo, and the last one may be a prefix (spec 5 §4.3)',
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
    name: 'only short prefixes reach more than a thousand words (spec 5 §8, case 36)',
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
