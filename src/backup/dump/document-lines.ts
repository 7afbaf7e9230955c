import type { DocId } from '../../documents/index.js'
import type { IndexFolder } from '../../folder/index.js'
import { DocumentText } from '../document-text.js'
import { checkCancelled, type Watch } from '../watch.js'

/** Lines are gathered until they have this many characters. */
const CHUNK_CHARACTERS = 1 << 18

/** The documents of an index in their order, one JSON object a line, in pieces. */
export function* documentLines(folder: IndexFolder, uid: string, watch: Watch): Generator<Buffer, void, void> {
  const text = new DocumentText(folder)
  const docIds = folder.docIds()
  const total = docIds.size
  let finished = 0
  let lines: string[] = []
  let characters = 0
  for (const docId of docIds) {
    const line = text.of(docId as DocId)
    finished++
    lines.push(line, '\n')
    characters += line.length
    if (characters < CHUNK_CHARACTERS) continue
    checkCancelled(watch)
    watch.progress(`dumping the documents of ${uid}`, finished, total)
    yield Buffer.from(lines.join(''))
    lines = []
    characters = 0
  }
  yield Buffer.from(lines.join(''))
}
