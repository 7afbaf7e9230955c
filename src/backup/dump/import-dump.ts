import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { TaskQueue } from '../../tasks/index.js'
import { BadArchive } from '../archive/bad-archive.js'
import { extractArchive } from '../archive/extract-archive.js'
import type { DumpReader } from './dump-reader.js'
import { type IndexImportServices, importIndex } from './import-index.js'
import { importBatches, importTasks } from './import-tasks.js'
import type { OldDump } from './legacy/old-members.js'
import { V1Reader } from './legacy/read-v1.js'
import { V2, V3, V3Reader } from './legacy/read-v3.js'
import { V5Reader } from './legacy/read-v5.js'
import { readFacts } from './lines.js'
import { V6Reader } from './read-v6.js'
import type { ServerState } from './server-state.js'

export interface DumpImportServices extends IndexImportServices {
  readonly queue: Pick<TaskQueue, 'store' | 'catalogue' | 'receivePayload'>
  /** Takes the state of the dump in place of what there is. */
  readonly putState: (state: ServerState) => Promise<void>
  /** `major.minor.patch` of this server. */
  readonly version: string
  /** RFC 3339. */
  readonly now: string
}

/**
 * Fills an empty server from a dump (spec 2 §6.3). Nothing may be processed meanwhile. Throws `BadArchive` when the dump
 * is at fault; the server is then half filled and has to be thrown away. `workFolder` is made and removed again.
 */
export async function importDump(path: string, workFolder: string, services: DumpImportServices): Promise<void> {
  try {
    await extractArchive({ path, folder: workFolder, onProgress: reportUnpacking(services) })
    await importFrom(await openReader(workFolder, services), services)
  } finally {
    await rm(workFolder, { recursive: true, force: true })
  }
}

async function importFrom(reader: DumpReader, services: DumpImportServices): Promise<void> {
  await services.putState(await reader.state())
  for await (const index of reader.indexes()) await importIndex(index, services)
  await importBatches(reader.batches(), services)
  await importTasks(reader.tasks(), services)
}

/** The form of the dump, as it says itself. */
async function openReader(folder: string, { version, now, report }: DumpImportServices): Promise<DumpReader> {
  const facts = await readFacts({ path: join(folder, 'metadata.json'), place: 'metadata.json' })
  const dumpVersion = facts.text('dumpVersion')
  const old: OldDump = { folder, now, warn: report }
  switch (dumpVersion) {
    case 'V6':
      return new V6Reader(folder, version)
    case 'V5':
    case 'V4':
      return new V5Reader(old)
    case 'V3':
      return new V3Reader(old, V3)
    case 'V2':
      return new V3Reader(old, V2)
    case 'V1':
      return new V1Reader(old)
    default:
      throw new BadArchive(`dumps of the form ${JSON.stringify(dumpVersion)} are not known`)
  }
}

/** A line whenever another tenth is done. */
function reportUnpacking({ report }: DumpImportServices): (done: number, total: number) => void {
  let reported = 0
  return (done, total) => {
    const tenths = Math.floor((done * 10) / total)
    if (tenths === reported) return
    reported = tenths
    report(`unpacking: ${tenths * 10} %`)
  }
}
