import { decodeJson, encodeJson } from '../../folder/index.js'
import type { Database, Environment } from '../../store/index.js'

/** How far this server is with a change of the network. */
export interface MoveState {
  /** The task of the change. */
  readonly taskUid: number
  /** What others own from now on was sent to them. */
  readonly isExported: boolean
  readonly movedDocuments: number
  /** Servers that have sent all that they had for this one. */
  readonly received: readonly string[]
  /** Documents can be searched by the new shards as well. From here on the leader alone decides whether they count. */
  readonly isAssigned: boolean
  /** The others know that all of it is here. */
  readonly isTold: boolean
  /** Of the servers that have said so: whether they could take in what they were sent. */
  readonly finished: Readonly<Record<string, boolean>>
  /** The others know that this server goes by the new shards. */
  readonly isChangeTold: boolean
  /** Servers that have said the same. */
  readonly changed: readonly string[]
}

const KEY = Buffer.from('move')

const begun = (taskUid: number): MoveState => ({
  taskUid,
  isExported: false,
  movedDocuments: 0,
  received: [],
  isAssigned: false,
  isTold: false,
  finished: {},
  isChangeTold: false,
  changed: [],
})

/** The state of the change under way, on disk before anybody relies on it. There is one at a time. */
export class MoveRecords {
  private readonly database: Database

  constructor(private readonly environment: Environment) {
    this.database = environment.database('topologyMove')
  }

  of(taskUid: number): MoveState {
    const bytes = this.database.get(KEY)
    const state = bytes && decodeJson<MoveState>(bytes, 'the state of a change of the network')
    return state?.taskUid === taskUid ? state : begun(taskUid)
  }

  change(taskUid: number, change: (state: MoveState) => Partial<MoveState>): Promise<void> {
    return this.environment.write(() => {
      const state = this.of(taskUid)
      this.database.put(KEY, encodeJson({ ...state, ...change(state) }))
    })
  }
}
