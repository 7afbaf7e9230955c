import type { RemoteWrite } from '../../backup/index.js'
import { idsOf, type PayloadSource } from '../../index/index.js'
import type { HeaderPair } from '../../outbound/index.js'
import { FORMER_VERSION_HEADER, readTopologyState, type TopologyChange } from '../../state/index.js'
import type { Forward, TaskContent } from '../../tasks/index.js'
import { documentLines } from '../task-documents.js'

/** The request that makes another server do what a task does here. `remote`: its name. */
export function forwardedWrite(
  { content, customMetadata }: Forward,
  payload: PayloadSource | undefined,
  remote: string,
): RemoteWrite {
  const index = 'indexUid' in content ? `/indexes/${encodeURIComponent(content.indexUid)}` : ''
  const query = customMetadata === undefined ? '' : `?${new URLSearchParams({ customMetadata })}`
  switch (content.type) {
    case 'documentAdditionOrUpdate':
      return additionWrite(content, { index, customMetadata, payload: payload! })
    case 'documentDeletion':
      return deletionWrite(content, { index, query, payload })
    case 'documentEdition': {
      const { filter, context, function: source } = content
      const body = `{"filter":${filter},"context":${context},"function":${JSON.stringify(source)}}`
      return jsonWrite('POST', `${index}/documents/edit${query}`, body)
    }
    case 'settingsUpdate':
      return jsonWrite('PATCH', `${index}/settings`, content.settings)
    case 'indexCreation':
      return jsonWrite('POST', '/indexes', JSON.stringify({ uid: content.indexUid, primaryKey: content.primaryKey }))
    case 'indexUpdate': {
      const { primaryKey, newIndexUid: uid } = content
      return jsonWrite(
        'PATCH',
        index,
        JSON.stringify({ ...(uid !== null && { uid }), ...(primaryKey && { primaryKey }) }),
      )
    }
    case 'indexDeletion':
      return { method: 'DELETE', path: index, headers: [] }
    case 'indexSwap':
      return jsonWrite('POST', '/swap-indexes', JSON.stringify(content.swaps))
    case 'networkTopologyChange':
      return networkWrite(readTopologyState(content.state)!, remote)
    default:
      throw new Error(`a task of type ${content.type} is not sent to other servers`)
  }
}

interface Addition {
  readonly index: string
  readonly customMetadata: string | undefined
  readonly payload: PayloadSource
}

function additionWrite(
  { method, primaryKey, skipCreation, documentsCount }: Extract<TaskContent, { type: 'documentAdditionOrUpdate' }>,
  { index, customMetadata, payload }: Addition,
): RemoteWrite {
  const query = new URLSearchParams({
    ...(primaryKey !== null && { primaryKey }),
    ...(skipCreation && { skipCreation: 'true' }),
    ...(customMetadata !== undefined && { customMetadata }),
  })
  const write = { method: method === 'replace' ? 'POST' : 'PUT', path: `${index}/documents?${query}` }
  // No lines are no NDJSON, but an empty list creates the index as it does here.
  if (documentsCount === 0) return jsonWrite(write.method, write.path, '[]')
  const body = documentLines(payload)
  if (body === undefined) throw new Error('the documents of a task that is sent to other servers are gone')
  return { ...write, headers: [['Content-Type', 'application/x-ndjson']], body }
}

interface Deletion {
  readonly index: string
  readonly query: string
  readonly payload: PayloadSource | undefined
}

function deletionWrite(
  { selection }: Extract<TaskContent, { type: 'documentDeletion' }>,
  { index, query, payload }: Deletion,
): RemoteWrite {
  switch (selection.by) {
    case 'all':
      return { method: 'DELETE', path: `${index}/documents${query}`, headers: [] }
    case 'filter':
      return jsonWrite('POST', `${index}/documents/delete${query}`, `{"filter":${selection.filter}}`)
    case 'ids':
      return jsonWrite('POST', `${index}/documents/delete-batch${query}`, JSON.stringify(selection.ids))
    case 'idList':
      return jsonWrite('POST', `${index}/documents/delete-batch${query}`, JSON.stringify(idsOf(payload!)))
  }
}

function networkWrite(change: TopologyChange, remote: string): RemoteWrite {
  const write = jsonWrite('PATCH', '/network', networkBody(change, remote))
  if (change.before === null) return write
  return { ...write, headers: [...write.headers, [FORMER_VERSION_HEADER, change.before.version]] }
}

/** The whole network, with the receiver's own name in it. */
function networkBody({ before, after }: TopologyChange, self: string): string {
  const { leader } = after
  const shardsOf = ({ shards }: Pick<TopologyChange['after'], 'shards'>) =>
    Object.fromEntries(Array.from(shards, ([name, remotes]) => [name, { remotes }]))
  const remotesOf = ({ remotes }: Pick<TopologyChange['after'], 'remotes'>) => Object.fromEntries(remotes)
  return JSON.stringify({
    self,
    leader,
    remotes: remotesOf(after),
    shards: shardsOf(after),
    previousRemotes: before && remotesOf(before),
    previousShards: before && shardsOf(before),
  })
}

const JSON_TYPE: HeaderPair = ['Content-Type', 'application/json']

const jsonWrite = (method: string, path: string, body: string): RemoteWrite => ({
  method,
  path,
  headers: [JSON_TYPE],
  body,
})
