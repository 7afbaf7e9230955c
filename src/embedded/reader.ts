import { AnswerWriters, type RequestKind, readRequest, type SearchContext } from '../answer/index.js'
import type { SearchGates } from '../engine/index.js'
import { DEFAULT_ERRORS_URL, fail, ok } from '../errors/index.js'
import { answerRequest, MeasuredPatience } from '../federation/index.js'
import type { IndexFolder } from '../folder/index.js'
import { SearchIndex } from '../match/index.js'
import { systemClock } from '../time/index.js'
import { EngineError, unwrap } from './engine-error.js'

/** Answers requests for one index, as the HTTP routes do, without HTTP. */
export class Reader {
  private readonly index: SearchIndex
  private readonly context: SearchContext

  constructor(
    private readonly uid: string,
    folder: IndexFolder,
    gates: SearchGates,
  ) {
    this.index = new SearchIndex(uid, folder)
    this.context = this.contextWith(gates)
  }

  /** The index as of its last commit. */
  refreshed(): SearchIndex {
    this.index.refresh()
    return this.index
  }

  /**
   * The answer to what would be the body of a request. Documents are stored as JSON text, so an answer is made of text
   * and parsed at once: V8 makes objects of JSON faster than anybody could one by one.
   */
  async answer<T>(kind: RequestKind, parameters: object): Promise<T> {
    const request = unwrap(readRequest(kind, Buffer.from(JSON.stringify(parameters))))
    const answering = answerRequest(request, this.uid, this.context)
    const { body } = unwrap(answering instanceof Promise ? await answering : answering)
    if (!(body instanceof Uint8Array)) throw new Error('an answer went to a file, though none was offered')
    return JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8')) as T
  }

  private contextWith(gates: SearchGates): SearchContext {
    return {
      writers: new AnswerWriters(),
      gates,
      includesMetadata: false,
      network: null,
      isProxied: false,
      isForShards: false,
      rules: [],
      clock: systemClock,
      remotes: { request: nobody, timeoutMs: 0, patience: new MeasuredPatience() },
      errorsUrl: DEFAULT_ERRORS_URL,
      queuedMs: 0,
      open: (uid) => (uid === this.uid ? ok(this.refreshed()) : fail('index_not_found', uid)),
      wait: (work) => work,
      tenantFilter: () => null,
    }
  }
}

/** There is no network here: nothing that could be asked leads to this. */
function nobody(): never {
  throw new EngineError({ code: 'internal', message: 'An index in this process asks no other server.' })
}
