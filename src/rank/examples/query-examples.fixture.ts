import { find, findAll, type RankExample, unranked } from './example.fixture.js'

const furniture = ['', 'green chair', 'green lamp', 'green table', 'old green table', 'small table', 'greem sofa']

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
