import {
  type Answered,
  AnswerWriters,
  namedIndexes,
  type Personalizer,
  type RemoteClient,
  type RequestKind,
  readRequest,
  type SearchContext,
} from '../answer/index.js'
import { CorruptBytes } from '../bytes/index.js'
import { Embedders, type EmbeddingOptions } from '../embed/index.js'
import { checkTaskFilter, type Waitable } from '../engine/index.js'
import { fail, ok, type Result } from '../errors/index.js'
import { answerRequest, MeasuredPatience } from '../federation/index.js'
import { type JsonValue, parse } from '../json/index.js'
import type { FilterGates, SearchIndex } from '../match/index.js'
import { type AllowedNetworks, createOutbound, type Outbound } from '../outbound/index.js'
import type { QueryEmbedders } from '../rank/index.js'
import { UnknownShardMap } from '../sharding/index.js'
import { BudgetSpent, workOn } from '../threads/index.js'
import { systemClock } from '../time/index.js'
import { openAnswerOverflow } from './answer-overflow.js'
import { OpenIndexes } from './open-indexes.js'
import { OrderBudget, type OrderSignals } from './order-budget.js'
import { queryEmbedders } from './query-embedders.js'
import { type RerankOptions, RerankService } from './rerank-service.js'
import type { Inspected, SearchOrder } from './search-order.js'
import { WaitingReads } from './waiting-reads.js'

/** What searches need to know of the configuration. Plain data: it travels to threads. */
export interface ExecutorOptions {
  /** Where requests to other servers may go. */
  readonly networks: AllowedNetworks
  readonly remoteTimeoutMs: number
  readonly errorsUrl: string
  /** Absent where no model can be asked. */
  readonly embedding?: EmbeddingOptions
  /** Absent where hits cannot be ordered for a person. */
  readonly personalization?: RerankOptions
  /** The folder for answers that are too large to be held. Absent where all are. */
  readonly overflowPath?: string
  /** How long one order may take, beside the cutoffs of its searches. Default: a minute. */
  readonly maxOrderMs?: number
}

/** Answers orders on the thread it lives on. Indexes are read without a pause; while one order waits, others may come. */
export class SearchExecutor {
  private readonly indexes = new OpenIndexes()
  private readonly writers = new AnswerWriters()
  private readonly waitingReads = new WaitingReads()
  private readonly outbound: Outbound
  private readonly remotes: RemoteClient
  private readonly embedders: QueryEmbedders | undefined
  private readonly personalizer: Personalizer | undefined

  private longestCutoffMs = 0

  /** `onLongerCutoff` hears of searches that may take longer than those before them. */
  constructor(
    private readonly options: ExecutorOptions,
    private readonly onLongerCutoff: (cutoffMs: number) => void = () => {},
  ) {
    const { networks, remoteTimeoutMs, embedding, personalization } = options
    const outbound = createOutbound({ networks, userAgent: 'findling' })
    this.outbound = outbound
    this.remotes = {
      request: (request) => outbound.request(request),
      timeoutMs: remoteTimeoutMs,
      patience: new MeasuredPatience(),
    }
    this.embedders = embedding && queryEmbedders(new Embedders({ ...embedding, client: outbound }))
    this.personalizer = personalization && new RerankService(personalization, { client: outbound })
  }

  /** Throws `OrderAbandoned` when whoever asked has gone. */
  run(order: SearchOrder, signals?: OrderSignals): Waitable<Result<Answered>> {
    const budget = new OrderBudget(signals, this.options.maxOrderMs, order.timeLeftMs)
    workOn(budget)
    try {
      const answered = this.answer(order, budget)
      return answered instanceof Promise ? answered.catch((error) => this.failed(order, error)) : answered
    } catch (error) {
      return this.failed(order, error)
    } finally {
      workOn(undefined)
    }
  }

  private answer(order: SearchOrder, budget: OrderBudget): Waitable<Result<Answered>> {
    const request = readRequest(order.kind, order.bytes)
    return request.ok ? answerRequest(request.value, order.uid, this.contextOf(order, budget)) : request
  }

  /** What was being read of an index when it turned out to be damaged is there by half, and must not be used again. */
  private failed({ folders, network }: SearchOrder, error: unknown): Result<never> {
    if (error instanceof CorruptBytes) for (const [, path] of folders) this.indexes.forget(path)
    if (error instanceof UnknownShardMap) return unknownShards(error, network?.version ?? null)
    if (error instanceof BudgetSpent) return fail('bad_request', tooMuch(error))
    throw error
  }

  inspect(kind: RequestKind, bytes: Uint8Array): Result<Inspected> {
    const request = readRequest(kind, bytes)
    return request.ok ? ok({ named: namedIndexes(request.value), bytes }) : request
  }

  /** Whether the filter of a deletion or edition, in JSON, is one. */
  checkFilter(filter: string, gates: FilterGates): Result<undefined> {
    return checkTaskFilter(jsonOf(filter), gates)
  }

  /** To be called between orders. */
  closeSurplus(): Promise<void> {
    return this.indexes.closeSurplus()
  }

  async release(path: string): Promise<void> {
    await this.waitingReads.endOf(path)
    await this.indexes.release(path)
  }

  async closeAll(): Promise<void> {
    await this.outbound.close()
    await this.indexes.closeAll()
  }

  private noteCutoff(cutoffMs: number): void {
    if (cutoffMs <= this.longestCutoffMs) return
    this.longestCutoffMs = cutoffMs
    this.onLongerCutoff(cutoffMs)
  }

  private contextOf(order: SearchOrder, budget: OrderBudget): SearchContext {
    const folders = new Map(order.folders)
    const filters = new Map(order.tenantFilters)
    // An index that is met again, as a foreign one or by another query, stays at the commit of the first time.
    const opened = new Map<string, SearchIndex>()
    const open = (uid: string): Result<SearchIndex> => {
      // Others may have been answered since the last one was opened.
      workOn(budget)
      const known = opened.get(uid)
      if (known !== undefined) return ok(known)
      const path = folders.get(uid)
      if (path === undefined) return fail('index_not_found', uid)
      const index = this.indexes.open(uid, path)
      const { searchCutoffMs } = index.settings
      this.noteCutoff(searchCutoffMs ?? 0)
      budget.allow(searchCutoffMs ?? 0)
      opened.set(uid, index)
      return ok(index)
    }
    const { errorsUrl, overflowPath } = this.options
    const { gates, includesMetadata, network, isProxied, isForShards, isForChat = false, rules, queuedMs } = order
    const { shardVersion, canPlanAgain = false } = order
    return {
      writers: this.writers,
      gates,
      includesMetadata,
      network,
      isProxied,
      isForShards,
      isForChat,
      ...(shardVersion === undefined ? {} : { shardVersion }),
      canPlanAgain,
      rules,
      clock: systemClock,
      remotes: this.remotes,
      ...(this.embedders === undefined ? {} : { embedders: this.embedders }),
      ...(this.personalizer === undefined ? {} : { personalizer: this.personalizer }),
      errorsUrl,
      ...(overflowPath === undefined || isForModel(order)
        ? {}
        : { openOverflow: () => openAnswerOverflow(overflowPath) }),
      queuedMs,
      open,
      wait: (work) => this.waitingReads.during(work, new Set(folders.values())).finally(() => opened.clear()),
      tenantFilter: (uid) => jsonOf(filters.get(uid) ?? 'null'),
    }
  }
}

/** Whoever asks for a model reads the answer itself, at once. */
const isForModel = ({ kind }: SearchOrder): boolean => kind === 'chatSearch' || kind === 'chatOffer'

/** Whoever asks by shards that are still to come asks again in a moment; by former ones, it looks for the present ones. */
function unknownShards({ version, message }: UnknownShardMap, present: string | null): Result<never> {
  const isEarly = present === null || version > present
  return fail(isEarly ? 'shard_map_unknown' : 'shard_map_outdated', `Here ${message}.`)
}

const tooMuch = ({ message }: BudgetSpent): string =>
  `The request was ended, since ${message}: ask for fewer documents or with fewer queries at once, or narrow them down by a filter.`

/** Of what the server thread has printed. */
function jsonOf(text: string): JsonValue {
  const parsed = parse(text)
  if (!parsed.ok) throw new Error(`a filter came as something else than JSON: ${parsed.reason}`)
  return parsed.value
}
