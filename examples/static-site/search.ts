/**
 * The search of a static site: each section of a page is a document, so that a hit leads to the right heading. A site
 * generator would call `buildIndex` after the pages were written, and put `.search` where its server can read it.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Index, openIndex } from 'findling/engine'

interface Section {
  id: string
  page: string
  /** Where it is: `configure.html#colours`. */
  url: string
  heading: string
  text: string
}

/** Makes the index anew. It takes the place of the last one only when all of it is there. */
export async function buildIndex(pages: string, folder: string): Promise<void> {
  await using index = await openIndex<Section>(folder, { primaryKey: 'id' })
  await index.updateSettings({ searchableAttributes: ['heading', 'text'], filterableAttributes: ['page'] })
  const sections = readdirSync(pages).flatMap((name) => sectionsOf(basename(name, '.md'), join(pages, name)))
  await index.addDocuments(sections)
  const known = new Set(sections.map(({ id }) => id))
  const gone: string[] = []
  for await (const { id } of index.documents({ fields: ['id'] })) if (!known.has(id)) gone.push(id)
  await index.deleteDocuments(gone)
}

export async function searchSite(index: Index<Section>, q: string): Promise<string[]> {
  const { hits } = await index.search({
    q,
    attributesToCrop: ['text'],
    cropLength: 10,
    attributesToHighlight: ['heading', 'text'],
    highlightPreTag: '*',
    highlightPostTag: '*',
  })
  return hits.map(({ url, _formatted }) => `${url}  ${_formatted?.heading}: ${_formatted?.text}`)
}

function sectionsOf(page: string, path: string): Section[] {
  const parts = readFileSync(path, 'utf8').split(/^#+ /m).slice(1)
  return parts.map((part) => {
    const [heading = '', ...lines] = part.split('\n')
    const anchor = heading.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
    return { id: `${page}-${anchor}`, page, url: `${page}.html#${anchor}`, heading, text: lines.join(' ').trim() }
  })
}

const [, program, q] = process.argv
if (program === import.meta.filename && q !== undefined) {
  const folder = join(import.meta.dirname, '.search')
  await buildIndex(join(import.meta.dirname, 'pages'), folder)
  await using index = await openIndex<Section>(folder, { readOnly: true })
  for (const line of await searchSite(index, q)) console.log(line)
}
