import type { ByteWriter } from '../../bytes/index.js'
import { fail, ok, type Result } from '../../errors/index.js'
import { writeFederated } from '../federation/answer-federated.js'
import { isForNetwork, writeNetworkSearch } from '../federation/answer-network.js'
import type { MultiSearch, MultiSearchQuery } from '../request/multi-search-body.js'
import type { AnswerFacts } from './answer-request.js'
import { type SearchFacts, writeSearch } from './answer-search.js'
import { atPosition, checkFederated } from './federation-checks.js'
import { newUid } from './request-uid.js'
import type { SearchContext } from './search-context.js'
import type { Waitable } from './waitable.js'

/** Runs the queries of a multi-search; the first failure is the answer (spec 8 §1.4, §1.5). */
export function writeMultiSearch(
  out: ByteWriter,
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
  private position = 0
  private degraded = 0
  private readonly failedRemotes = new Set<string>()

  constructor(
    private readonly out: ByteWriter,
    private readonly queries: MultiSearch['queries'],
    private readonly context: SearchContext,
  ) {
    out.utf8('{"results":[')
  }

  write(): Waitable<Result<AnswerFacts>> {
    while (this.position < this.queries.length) {
      const written = this.writeQuery(this.queries[this.position]!)
      if (written instanceof Promise) return written.then((outcome) => this.accept(outcome) ?? this.write())
      const failed = this.accept(written)
      if (failed !== undefined) return failed
    }
    this.out.utf8(']}')
    return ok({ degraded: this.degraded, failedRemotes: [...this.failedRemotes] })
  }

  private writeQuery({ indexUid, search, federationOptions }: MultiSearchQuery): Waitable<Result<SearchFacts>> {
    if (federationOptions !== null) {
      return fail('invalid_multi_search_federation_options', '`federationOptions` needs `federation` beside `queries`.')
    }
    this.out.utf8(`${this.position === 0 ? '{' : ',{'}"indexUid":"${indexUid}",`)
    const write = isForNetwork(search, this.context) ? writeNetworkSearch : writeSearch
    return write(this.out, { uid: indexUid, query: search, requestUid: this.requestUid }, this.context)
  }

  private accept(written: Result<SearchFacts>): Result<never> | undefined {
    if (!written.ok) return atPosition(this.position, written.failure)
    this.out.utf8('}')
    this.position++
    if (written.value.isDegraded) this.degraded++
    for (const name of written.value.failedRemotes ?? []) this.failedRemotes.add(name)
    return undefined
  }
}
