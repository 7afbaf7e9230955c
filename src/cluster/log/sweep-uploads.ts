import { decodeRecord } from './blob-codec.js'
import type { Session } from './session.js'
import type { StreamNames } from './streams.js'

/**
 * Deletes the chunks of uploads that were begun so long ago and belong to no blob: whoever put them died before the end.
 * Returns how many uploads that were. Records are read after uploads were listed, so that none of them is too new to be seen.
 */
export async function sweepUploads(session: Session, names: StreamNames, minAgeMs: number): Promise<number> {
  const begun = await uploadsBegunBefore(session, names, Date.now() - minAgeMs)
  if (begun.length === 0) return 0
  const used = await uploadsInUse(session, names)
  const abandoned = begun.filter((upload) => !used.has(upload))
  for (const upload of abandoned) {
    await session.manager.streams.purge(names.blobs, { filter: `${names.blobSubject}.chunk.${upload}.*` })
  }
  return abandoned.length
}

async function uploadsBegunBefore(session: Session, names: StreamNames, time: number): Promise<string[]> {
  const uploads: string[] = []
  for (const subject of await subjectsOf(session, names, 'chunk.*.0')) {
    const first = await session.manager.streams.getMessage(names.blobs, { last_by_subj: subject })
    if (first !== null && first.time.getTime() <= time) uploads.push(subject.split('.').at(-2)!)
  }
  return uploads
}

/** Throws when a record cannot be read: then nobody knows what is in use. */
async function uploadsInUse(session: Session, names: StreamNames): Promise<Set<string>> {
  const uploads = new Set<string>()
  for (const subject of await subjectsOf(session, names, 'record.*')) {
    const stored = await session.manager.streams.getMessage(names.blobs, { last_by_subj: subject })
    const record = stored === null ? undefined : decodeRecord(stored.data)
    if (record === undefined) throw new Error(`${subject} cannot be read`)
    uploads.add(record.upload)
  }
  return uploads
}

async function subjectsOf({ manager }: Session, names: StreamNames, pattern: string): Promise<string[]> {
  const info = await manager.streams.info(names.blobs, { subjects_filter: `${names.blobSubject}.${pattern}` })
  return Object.keys(info.state.subjects ?? {})
}
