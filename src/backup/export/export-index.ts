import type { Bitmap } from '../../bitmap/index.js'
import type { DocId } from '../../documents/index.js'
import { FailureError, type Result } from '../../errors/index.js'
import { type IndexFolder, readSettings } from '../../folder/index.js'
import { type JsonObject, parse } from '../../json/index.js'
import {
  checkFilterFeatures,
  type FilterGates,
  parseFilter,
  refuseForeign,
  selectDocuments,
} from '../../match/index.js'
import type { AllowedNetworks } from '../../outbound/index.js'
import { dumpView } from '../../settings/index.js'
import { DocumentText } from '../document-text.js'
import { checkCancelled, type Watch } from '../watch.js'
import { withIndexFolder } from '../with-index-folder.js'
import { RemoteServer, type RemoteServices } from './remote-server.js'

/** The experimental features that decide what may be exported. */
export type ExportGates = FilterGates & { readonly chatCompletions: boolean }

export interface ExportOrder {
  readonly uid: string
  /** The folder, which must be open on another thread. */
  readonly path: string
  /** JSON text. */
  readonly filter: string | null
  readonly overrideSettings: boolean
  readonly target: { readonly url: string; readonly apiKey: string | null }
  /** Documents of one request, as text. */
  readonly payloadBytes: number
  readonly gates: ExportGates
  readonly networks: AllowedNetworks
}

const CODE = 'invalid_document_filter'

/** Sends one index to another server (spec 2 §9.3). Answers how many documents were chosen. */
export function exportIndex(order: ExportOrder, services: RemoteServices): Promise<number> {
  return withIndexFolder(order, async (folder) => {
    const selected = selectedBy(folder, order)
    const remote = new RemoteServer(order.target, services)
    await prepareIndex(folder, order, remote)
    await sendDocuments({ folder, order, remote, watch: services.watch }, selected)
    return selected.size
  })
}

/** Before anything is sent: a filter at fault must leave the other server as it is. */
function selectedBy(folder: IndexFolder, { uid, filter, gates }: ExportOrder): Bitmap {
  if (filter === null) return folder.docIds()
  const value = parse(filter, 1024)
  if (!value.ok) throw new Error(`the filter of an export is not JSON: ${value.reason}`)
  const parsed = must(parseFilter(value.value, { code: CODE, reading: 'once' }))
  if (parsed === undefined) return folder.docIds()
  must(checkFilterFeatures(parsed, gates))
  must(refuseForeign(parsed, CODE))
  return must(selectDocuments({ indexUid: uid, folder }, parsed))
}

function must<T>(result: Result<T>): T {
  if (!result.ok) throw new FailureError(result.failure)
  return result.value
}

async function prepareIndex(folder: IndexFolder, order: ExportOrder, remote: RemoteServer): Promise<void> {
  const { uid, overrideSettings, gates } = order
  const { primaryKey } = folder.meta()!
  const exists = await remote.hasIndex(uid)
  if (!exists) await remote.createIndex(uid, primaryKey)
  else if (overrideSettings) await remote.setPrimaryKey(uid, primaryKey)
  if (!exists || overrideSettings) await remote.setSettings(uid, sentSettings(folder, gates))
}

/** All of them, secrets in clear; the other server need not have what is off here. */
function sentSettings(folder: IndexFolder, gates: ExportGates): JsonObject {
  const settings = dumpView(readSettings(folder))
  if (!gates.chatCompletions) settings.delete('chat')
  if (!gates.foreignKeys) settings.delete('foreignKeys')
  return settings
}

interface Sending {
  readonly folder: IndexFolder
  readonly order: ExportOrder
  readonly remote: RemoteServer
  readonly watch: Watch
}

/** As many documents in a request as fit, one at least. */
async function sendDocuments({ folder, order, remote, watch }: Sending, selected: Bitmap): Promise<void> {
  const { uid, payloadBytes } = order
  const text = new DocumentText(folder)
  let lines: string[] = []
  let bytes = 0
  let finished = 0
  const send = async (): Promise<void> => {
    checkCancelled(watch)
    await remote.addDocuments(uid, lines.join(''))
    watch.progress(`exporting ${uid}`, finished, selected.size)
    lines = []
    bytes = 0
  }
  for (const docId of selected) {
    const line = `${text.of(docId as DocId)}\n`
    const lineBytes = Buffer.byteLength(line)
    if (lines.length > 0 && bytes + lineBytes > payloadBytes) await send()
    lines.push(line)
    bytes += lineBytes
    finished++
  }
  if (lines.length > 0) await send()
}
