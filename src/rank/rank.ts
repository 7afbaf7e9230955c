import { Bitmap, DenseDocSet, type DocSet, SparseDocSet } from '../bitmap/index.js'
import type { SearchIndex } from '../match/index.js'
import {
  buildGraph,
  DerivationCache,
  FieldScope,
  KEPT,
  MAX_QUERY_TOKENS,
  type ParsedQuery,
  parseQuery,
  type QueryGraph,
  type QueryTerm,
  removalGroups,
  Synonyms,
  termsWithNgrams,
  weightsByFrequency,
  weightsFromTheEnd,
} from '../match/index.js'
import { attributeRule } from './attribute-rule.js'
import type { Rule } from './bucket.js'
import { type BucketSortOptions, bucketSort, type PerDocumentRules, type Sorted } from './bucket-sort.js'
import { NO_PATHS, type PartFindings } from './collection/knowledge.js'
import { PathExchange } from './collection/path-exchange.js'
import { findTerms } from './collection/term-findings.js'
import { type DistinctSource, DistinctValues, distinctSource } from './distinct.js'
import { exactAttributeRule, exactWordsRule } from './exactness-rules.js'
import { knownRanking } from './known-rankings.js'
import { matchTerms } from './match-terms.js'
import type { Ranking, RankRequest, RankTimer } from './model.js'
import { positionRule } from './position-rule.js'
import { proximityRule } from './proximity-rule.js'
import { queryLanguages } from './query-languages.js'
import { RankContext } from './rank-context.js'
import { chooseRules, type RuleStep } from './rules.js'
import type { ScoreDetail } from './score-detail.js'
import { splitBySets } from './sets/split-by-sets.js'
import { FIRST_SLICE } from './slices.js'
import { sortRule } from './sort-rule.js'
import { typoRule } from './typo-rule.js'
import { excludedDocs, matchingDocs } from './universe.js'
import { firstPerDocument, upperBoundOf } from './upper-bound.js'
import { type WordRemoval, wordsRule } from './words-rule.js'

/** The best documents for a query, in their order (spec 6 §3-§5). The index has been refreshed. */
export function rank(index: SearchIndex, request: RankRequest, timer: RankTimer = UNTIMED): Ranking {
  return knownRanking(index, request, () => new Search(index, request, timer).run())
}

const UNTIMED: RankTimer = { measure: (_step, work) => work() }

const EMPTY_GRAPH: QueryGraph = { nodes: [], first: [], isChain: false }

class Search {
  private readonly context: RankContext
  private readonly query: ParsedQuery
  /** That the query may be in, by the fields of this index; undefined for any. */
  private readonly languages: readonly string[] | undefined

  constructor(
    private readonly index: SearchIndex,
    private readonly request: RankRequest,
    private readonly timer: RankTimer,
  ) {
    const knowledge = request.part?.knowledge ?? undefined
    const scope = new FieldScope(index, request.attributesToSearchOn)
    this.languages = queryLanguages(index, scope, request.locales)
    const locales = knowledge === undefined ? this.languages : (knowledge.languages ?? undefined)
    const source = {
      words: index.words,
      scope,
      cache: index.derive(DERIVATIONS, () => new DerivationCache()),
      synonyms: synonymsOf(index),
      isByAttribute: index.settings.proximityPrecision === 'byAttribute',
      scratch: index.scratch,
      locales,
      shared: knowledge?.terms ? new Map(knowledge.terms.map((term) => [term.key, term])) : undefined,
      counted: request.part && (() => request.part!.documents()),
    }
    this.context = new RankContext(index, source, request)
    this.query = timer.measure('tokenize query', () => {
      const tokens = index.queryAnalyzer.tokenize(readPart(request.q), locales, MAX_QUERY_TOKENS)
      return parseQuery(tokens, index.settings.prefixSearch !== 'disabled')
    })
  }

  run(): Ranking {
    try {
      return this.query.terms.length === 0 ? this.rankAll() : this.rankMatching()
    } finally {
      this.context.arena.release()
    }
  }

  /** Nothing to look for: all documents, less those that the query takes out. */
  private rankAll(): Ranking {
    const base = this.base()
    const steps = this.steps(true)
    const { distinct, depth } = this.request
    if (steps.length === 0 && distinct === null) {
      const documents = Array.from(base.toArraySlice(0, depth), (docId) => ({ docId, details: [] }))
      return { documents, candidateCount: base.size, candidates: () => base, terms: undefined, isDegraded: false }
    }
    const rules = steps.map((step) => this.ruleOf(step, NOTHING_REMOVED))
    return this.sort(this.bitsOf(base), rules, EMPTY_GRAPH)
  }

  private rankMatching(): Ranking {
    const terms = termsWithNgrams(this.query.terms, this.index.settings.typoTolerance)
    const graph = buildGraph(terms)
    const groups = this.groupsOf(terms)
    const universe = this.timer.measure('evaluate query', () => this.universe(graph, groups))
    const groupOf = new Map(terms.map((term, i) => [term, groups[i]!]))
    const removal = {
      groupOf: (term: QueryTerm) => groupOf.get(term)!,
      isInOrder: this.request.matchingStrategy === 'last',
    }
    const steps = this.steps(false)
    const rules = steps.map((step) => this.ruleOf(step, removal))
    const exchange = this.exchangeOf(terms)
    const ranking = this.sort(universe, rules, graph, { ...this.shortcuts(steps, rules), exchange })
    const { part } = this.request
    const findings = part && {
      ...this.findingsOf(terms, ranking),
      languages: this.languages ?? null,
      terms: findTerms(this.context.source, terms, part.knowledge),
      paths: exchange?.found ?? NO_PATHS,
    }
    return { ...ranking, terms: matchTerms(this.context, graph), findings }
  }

  /** There is one way to read one word. */
  private exchangeOf(terms: readonly QueryTerm[]): PathExchange | undefined {
    const { part } = this.request
    return part !== undefined && terms.length > 1
      ? new PathExchange(terms, part.knowledge?.paths ?? NO_PATHS)
      : undefined
  }

  private findingsOf(
    terms: readonly QueryTerm[],
    { documents }: Ranking,
  ): Pick<PartFindings, 'frequencies' | 'hasExactAttributes'> {
    return {
      frequencies: this.isByFrequency ? this.frequencies(terms) : null,
      hasExactAttributes: documents.some(({ details }) => details.some(isExactAttribute)),
    }
  }

  private get isByFrequency(): boolean {
    return this.request.matchingStrategy === 'frequency' && this.query.terms.length > 1
  }

  private groupsOf(terms: readonly QueryTerm[]): number[] {
    const count = this.query.terms.length
    const { matchingStrategy } = this.request
    if (matchingStrategy === 'all' || count === 1) return terms.map(() => KEPT)
    if (matchingStrategy === 'last') return removalGroups(terms, weightsFromTheEnd(count))
    return removalGroups(terms, weightsByFrequency(this.knownFrequencies() ?? this.frequencies(terms)))
  }

  /** Undefined where they are those of this index, or of another query. */
  private knownFrequencies(): readonly number[] | undefined {
    const known = this.request.part?.knowledge?.frequencies
    return known?.length === this.query.terms.length ? known : undefined
  }

  /** How many documents of the whole index have each term of the query, glued to others or not (spec 5 §5.2). */
  private frequencies(terms: readonly QueryTerm[]): number[] {
    const part = this.request.part?.documents() ?? null
    const counted = part === null ? null : this.bitsOf(part)
    return this.query.terms.map((_, id) => {
      const docs = this.context.newBits()
      for (const term of terms) {
        if (term.firstId <= id && id <= term.lastId) docs.or(this.context.matchesOf(term).docs())
      }
      return (counted === null ? docs : docs.within(counted)).count()
    })
  }

  private universe(graph: QueryGraph, groups: readonly number[]): DocSet {
    let docs = matchingDocs(this.context, graph, groups, null)
    const excluded = excludedDocs(this.context, this.query)
    if (excluded.length > 0) docs = docs.without(this.context.bitsOf(excluded))
    return this.passing(docs)
  }

  /** Those that the filter lets through. Few documents are looked at one by one. */
  private passing(all: DocSet): DocSet {
    const { filter, lateFilter, mostListed } = this.request
    if (filter === null && lateFilter === undefined) return all
    const docs = all instanceof DenseDocSet ? all.compact(mostListed) : all
    const among = docs instanceof SparseDocSet ? lateFilter?.among(docs.docIds) : undefined
    if (among !== undefined) return new SparseDocSet(among, docs.limit)
    const passing = lateFilter?.all() ?? filter
    if (passing === null) return docs
    const left = docs.within(this.bitsOf(passing))
    return left instanceof DenseDocSet ? left.compact(mostListed) : left
  }

  private bitsOf(bitmap: Bitmap): DenseDocSet {
    return DenseDocSet.ofBitmap(bitmap, this.context.docLimit, this.context.arena)
  }

  private base(): Bitmap {
    const base = this.request.lateFilter?.all() ?? this.request.filter ?? this.index.docIds
    const excluded = excludedDocs(this.context, this.query)
    return excluded.length === 0
      ? base
      : base.andNot(Bitmap.orMany(excluded.map(({ docIds }) => Bitmap.fromSorted(docIds))))
  }

  private steps(isPlaceholder: boolean): RuleStep[] {
    const { sort, matchingStrategy, vectorRule } = this.request
    const { rankingRules } = this.index.settings
    const isSemantic = vectorRule !== undefined
    return chooseRules({ rankingRules, sort, isPlaceholder, canSkipWords: matchingStrategy !== 'all', isSemantic })
  }

  private ruleOf(step: RuleStep, removal: WordRemoval): Rule {
    const { context } = this
    switch (step.kind) {
      case 'words':
        return wordsRule(context, removal)
      case 'typo':
        return typoRule(context)
      case 'proximity':
        return proximityRule(context)
      case 'attributeRank':
        return attributeRule(context)
      case 'wordPosition':
        return positionRule(context)
      case 'exactAttribute':
        return exactAttributeRule(context)
      case 'exactWords':
        return exactWordsRule(context)
      case 'sort':
        return sortRule(this.index, step.key)
      case 'vector':
        return this.request.vectorRule!
    }
  }

  private shortcuts(steps: readonly RuleStep[], rules: readonly Rule[]): Shortcuts {
    const { context } = this
    const few = this.request.fewByDocument ?? Math.max(FEW_BY_DOCUMENT, context.docLimit / FEW_OF_ALL)
    return {
      perDocument: this.perDocumentRules(steps),
      bySets: (rule, bucket, graph) => {
        if (bucket.size <= few) return undefined
        return splitBySets({ context, kind: steps[rule]!.kind, bucket, graph, byDocument: rules[rule]!, few })
      },
    }
  }

  /** With distinct or a threshold every document of a bucket counts. */
  private perDocumentRules(steps: readonly RuleStep[]): PerDocumentRules | undefined {
    const { distinct, threshold, firstSlice = FIRST_SLICE } = this.request
    if (distinct !== null || threshold !== null) return undefined
    const firstRule = firstPerDocument(steps)
    const few = firstSlice * FEW_SLICES
    const upperBound: PerDocumentRules['upperBound'] = (rule, { size }, graph) =>
      upperBoundOf(this.context, { steps: steps.slice(rule), graph, size, few })
    return { firstRule, upperBound, firstSlice }
  }

  private sort(universe: DocSet, rules: readonly Rule[], graph: QueryGraph, shortcuts?: Shortcuts): Ranking {
    const { depth, isExhaustive, threshold, deadline, isOrderEnough = false, isCountEnough } = this.request
    const source = distinctSource(this.index, this.request)
    const taken = source === null ? null : new DistinctValues(source)
    const limits = { depth, isExhaustive, threshold, deadline, isOrderEnough: isOrderEnough && threshold === null }
    const { part } = this.request
    const ofPart = part && taken ? { isDepthExact: part.distinct?.isSettled === true, mostTied: MOST_TIED } : {}
    const sorted = bucketSort({ rules, universe, graph, ...limits, distinct: taken, ...ofPart, ...shortcuts })
    const left = candidatesOf(universe, sorted, taken)
    const { documents, tied, isDegraded } = sorted
    if (source !== null && isExhaustive) {
      const firsts = this.firstOfEach(left.toArray(), source)
      const candidates = () => Bitmap.fromSorted(firsts)
      return { documents, tied, candidateCount: firsts.length, candidates, terms: undefined, isDegraded }
    }
    if (isCountEnough) {
      const candidates = () => {
        throw new RangeError('nobody was to ask for these candidates')
      }
      return { documents, tied, candidateCount: left.count(), candidates, terms: undefined, isDegraded }
    }
    const kept = left instanceof DenseDocSet ? left.compact() : left
    if (kept instanceof DenseDocSet) kept.outliveArena()
    const candidates = () => kept.toBitmap()
    return { documents, tied, candidateCount: kept.count(), candidates, terms: undefined, isDegraded }
  }

  /** Of a part all are left where a document that has more than one value may fall to one of another part. */
  private firstOfEach(docIds: Uint32Array, source: DistinctSource): Uint32Array {
    const { column } = source
    const isCompared = this.request.part?.distinct !== undefined && docIds.length <= MOST_COMPARED
    const hasSeveral = (docId: number) => column !== undefined && column.values(docId).length > 1
    return isCompared && docIds.some(hasSeveral) ? docIds : DistinctValues.firstOfEach(docIds, source)
  }
}

/** Documents that nothing tells from the last of a page, which are told to others. */
const MOST_TIED = 1000

/** Documents whose values are compared with those of other parts, though each of them has several. */
const MOST_COMPARED = 10_000

/** So many times the first slice are few documents. */
const FEW_SLICES = 4

/** So many documents are sooner looked at one by one than split by stored sets, which are as long as the index is large. */
const FEW_BY_DOCUMENT = 512
const FEW_OF_ALL = 1024

type Shortcuts = Pick<BucketSortOptions, 'perDocument' | 'bySets' | 'exchange'>

const isExactAttribute = (detail: ScoreDetail): boolean =>
  detail.rule === 'exactAttribute' && detail.type !== 'noExactMatch'

const NOTHING_REMOVED: WordRemoval = { groupOf: () => KEPT, isInOrder: false }

/** What is left of the universe: documents that were not removed and are no duplicates of those that were taken. */
function candidatesOf(universe: DocSet, { emitted, removed }: Sorted, taken: DistinctValues | null): DocSet {
  const left = removed.missingOf(universe)
  if (taken === null) return left
  const duplicates = new DenseDocSet(universe.limit)
  duplicates.addAll(taken.seenOf(emitted.missingOf(left).toArray()))
  return left.without(duplicates)
}

const DERIVATIONS = Symbol('derivations')
const SYNONYMS = Symbol('synonyms')

function synonymsOf(index: SearchIndex): Synonyms {
  return index.derive(SYNONYMS, () => new Synonyms(index.settings.synonyms, index.queryAnalyzer))
}

/** So many tokens have fewer characters than this, or are too long to be words. */
const MAX_QUERY_CHARACTERS = 1 << 16

/** What of a query is read: somebody may send megabytes. */
const readPart = (q: string | null): string => (q ?? '').slice(0, MAX_QUERY_CHARACTERS)
