import { join } from 'node:path'
import { type DumpImportServices, importDump } from '../backup/index.js'
import { type Config, INTERFACE_VERSION } from '../config/index.js'
import type { Log } from '../log/index.js'
import { formatTimestamp } from '../time/index.js'
import { importError } from './backup/import-error.js'
import { writeInstanceUid } from './backup/instance-uid.js'
import { writeState } from './backup/server-state.js'
import { beginImport, endImport, undoImport, writeVersion } from './data-folder.js'
import { type OpenedContext, type OpenOptions, openContext } from './open-context.js'

/** More documents in one transaction gain little, and cost memory. */
const MAX_BATCH_BYTES = 1 << 28

/** Opens an empty data folder and fills it from a dump, before anybody can ask for anything. */
export async function openFromDump(options: OpenOptions, dumpPath: string): Promise<OpenedContext> {
  const { dbPath } = options.config
  beginImport(dbPath)
  const opened = await openContext({ ...options, importsDump: true })
  try {
    await importDump(dumpPath, join(dbPath, 'unpacked'), servicesOf(options, opened))
  } catch (error) {
    await opened.close()
    undoImport(dbPath)
    throw importError(error, { kind: 'dump', path: dumpPath })
  }
  writeVersion(dbPath)
  endImport(dbPath)
  return opened
}

function servicesOf({ config, log }: { config: Config; log: Log }, opened: OpenedContext): DumpImportServices {
  const { context, indexing } = opened
  const { dbPath, features } = config
  const logger = log.child('import')
  return {
    queue: context.tasks,
    indexing,
    indexesPath: join(dbPath, 'indexes'),
    updatesPath: join(dbPath, 'updates'),
    batchBytes: Math.min(config.indexing.maxBatchedBytes, MAX_BATCH_BYTES),
    version: INTERFACE_VERSION,
    now: formatTimestamp(context.clock()),
    report: (line) => logger.info({}, line),
    async putState(state) {
      if (state.instanceUid !== null) writeInstanceUid(dbPath, state.instanceUid)
      await writeState(context, state, { features, clock: context.clock })
    },
  }
}
