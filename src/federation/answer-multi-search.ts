import type { AnswerFacts, AnswerWriter, MultiSearch, MultiSearchQuery, SearchContext } from '../answer/index.js'
import { joinRepetitions, newUid, type Repetition, type SearchFacts, writeSearch } from '../answer/index.js'
import type { Waitable } from '../engine/index.js'
import { Stages } from '../engine/index.js'
import { fail, ok, type Result } from '../errors/index.js'
import { checkBudget } from '../threads/index.js'
import { writeFederated } from './answer-federated.js'
import { writeNetworkSearch } from './answer-network.js'
import { atPosition, checkFederated } from './federation-checks.js'
import { isForNetwork } from './plan.js'

/** Runs the queries of a multi-search; the first failure is the answer (spec 8 §1.4, §1.5). */
export function writeMultiSearch(
  out: AnswerWriter,
  { queries, federation }: MultiSearch,
  context: SearchContext,
): Waitable<Result<AnswerFacts>> {
  if (federation === null) return new ResultList(out, queries, context).write()
  if (context.isProxied && !context.gates.network) {
    return fail('feature_not_enabled', 'Answering another server', 'network')
  }
  const distinct = checkFederated(queries, federation, context)
  if (!distinct.ok) return distinct
  return writeFederated(out, { queries, federation: { ...federation, distinct: distinct.value } }, context)
}

/** The results of queries, written one by one. */
class ResultList {
  private readonly requestUid = newUid()
  /** All results tell the time of those before them too (spec 8 §1.11). */
  private readonly stages: Stages
  private position = 0
  private degraded = 0
  private personalized = 0
  private readonly failedRemotes = new Set<string>()
  private readonly repetitions: (Repetition | undefined)[] = []

  constructor(
    private readonly out: AnswerWriter,
    private readonly queries: MultiSearch['queries'],
    private readonly context: SearchContext,
  ) {
    this.stages = Stages.ofRequest(
      queries.some(({ search }) => search.showPerformanceDetails),
      context,
    )
    out.utf8('{"results":[')
  }

  write(): Waitable<Result<AnswerFacts>> {
    while (this.position < this.queries.length) {
      const written = this.writeQuery(this.queries[this.position]!)
      if (written instanceof Promise) return this.waitFor(written).then((each) => this.accept(each) ?? this.write())
      const failed = this.accept(written)
      if (failed !== undefined) return failed
    }
    this.out.utf8(']}')
    const { degraded, personalized } = this
    const repetition = joinRepetitions(this.repetitions)
    return ok({ degraded, personalized, failedRemotes: [...this.failedRemotes], repetition })
  }

  /** Whatever a query waits for: where others follow, indexes are going to be read again. */
  private waitFor(written: Promise<Result<SearchFacts>>): Promise<Result<SearchFacts>> {
    const isLast = this.position === this.queries.length - 1
    return isLast ? written : this.context.wait(written)
  }

  private writeQuery({ indexUid, search, federationOptions }: MultiSearchQuery): Waitable<Result<SearchFacts>> {
    if (federationOptions !== null) {
      return fail('invalid_multi_search_federation_options', '`federationOptions` needs `federation` beside `queries`.')
    }
    checkBudget()
    this.out.utf8(`${this.position === 0 ? '{' : ',{'}"indexUid":"${indexUid}",`)
    const write = isForNetwork(search, this.context) ? writeNetworkSearch : writeSearch
    const { requestUid, stages } = this
    return write(this.out, { uid: indexUid, query: search, requestUid, stages }, this.context)
  }

  private accept(written: Result<SearchFacts>): Result<never> | undefined {
    if (!written.ok) return atPosition(this.position, written.failure)
    this.out.utf8('}')
    this.position++
    if (written.value.isDegraded) this.degraded++
    if (written.value.isPersonalized) this.personalized++
    for (const name of written.value.failedRemotes ?? []) this.failedRemotes.add(name)
    this.repetitions.push(written.value.repetition)
    return undefined
  }
}
