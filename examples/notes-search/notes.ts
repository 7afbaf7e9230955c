/** Searches a folder of text files. The index lies beside them and follows them: only files that changed are read again. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Index, openIndex } from 'findling/engine'

interface Note {
  id: string
  file: string
  changedMs: number
  title: string
  text: string
}

export async function openNotes(folder: string): Promise<Index<Note>> {
  const index = await openIndex<Note>(join(folder, '.index'), { primaryKey: 'id' })
  await index.updateSettings({
    searchableAttributes: ['title', 'text'],
    rankingRules: ['words', 'typo', 'attribute', 'proximity', 'exactness', 'changedMs:desc'],
  })
  await follow(index, folder)
  return index
}

async function follow(index: Index<Note>, folder: string): Promise<void> {
  const known = new Map<string, number>()
  for await (const { file, changedMs } of index.documents({ fields: ['file', 'changedMs'] })) known.set(file, changedMs)
  const files = readdirSync(folder).filter((name) => name.endsWith('.txt'))
  const changed = files.filter((file) => statSync(join(folder, file)).mtimeMs !== known.get(file))
  await index.addDocuments(changed.map((file) => readNote(folder, file)))
  await index.deleteDocuments([...known.keys()].filter((file) => !files.includes(file)).map(idOf))
}

function readNote(folder: string, file: string): Note {
  const [title = '', ...text] = readFileSync(join(folder, file), 'utf8').split('\n')
  return { id: idOf(file), file, changedMs: statSync(join(folder, file)).mtimeMs, title, text: text.join('\n').trim() }
}

/** Ids are letters, digits, - and _. */
const idOf = (file: string): string => Buffer.from(file).toString('base64url')

const [, program, folder, ...words] = process.argv
if (program === import.meta.filename && folder !== undefined) {
  await using notes = await openNotes(folder)
  const { hits, processingTimeMs } = await notes.search({
    q: words.join(' '),
    attributesToCrop: ['text'],
    attributesToHighlight: ['*'],
    highlightPreTag: '\u001b[1m',
    highlightPostTag: '\u001b[22m',
  })
  for (const { file, _formatted } of hits) console.log(`${file}  ${_formatted?.title}\n    ${_formatted?.text}`)
  console.log(`${hits.length} notes in ${processingTimeMs} ms`)
}
