import { setImmediate } from 'node:timers/promises'
import type { Bitmap } from '../bitmap/index.js'
import type { DocId } from '../documents/index.js'
import { shownAs } from '../engine/index.js'
import { fromPlain, print } from '../json/index.js'
import { type SearchIndex, selectByFilter } from '../match/index.js'
import { throwingErrors } from './engine-error.js'
import type { Reader } from './reader.js'
import type { DocumentLike, IterationParameters } from './types.js'

const NONE = new Uint32Array(0)

/** Documents that are read before others get their turn. */
const DOCUMENTS_PER_TURN = 256

/**
 * Documents by ascending numbers. Whenever the index has changed, those that pass are looked for again: a number may have
 * gone to another document meanwhile. `openReader` throws once the index is closed.
 */
export async function* iterateDocuments<Document extends DocumentLike>(
  openReader: () => Reader,
  { filter, fields, retrieveVectors = false }: IterationParameters,
): AsyncGenerator<Document, undefined, undefined> {
  const text = filter === undefined || filter === null ? undefined : print(fromPlain(filter))
  let next = 0
  for (;;) {
    const index = openReader().refreshed()
    const passing = throwingErrors(() => passingFrom(index, text, next))
    const show = shownAs(index.folder, { fields: fields ?? 'all', retrieveVectors })
    const { version } = index
    let isSame = true
    for (let at = 0; at < passing.length && isSame; at += DOCUMENTS_PER_TURN) {
      const turn = Array.from(passing.subarray(at, at + DOCUMENTS_PER_TURN), (docId) =>
        show(docId, index.folder.document(docId as DocId)!),
      )
      next = passing[Math.min(at + DOCUMENTS_PER_TURN, passing.length) - 1]! + 1
      for (const json of turn) yield JSON.parse(json) as Document
      await setImmediate()
      isSame = openReader().refreshed().version === version
    }
    if (isSame) return undefined
  }
}

function passingFrom(index: SearchIndex, filter: string | undefined, first: number): Uint32Array {
  const passing: Bitmap =
    filter === undefined ? index.docIds : selectByFilter(index.folder, { indexUid: index.uid, filter })
  const all = passing.toArray()
  const at = all.findIndex((docId) => docId >= first)
  return at === -1 ? NONE : all.subarray(at)
}
