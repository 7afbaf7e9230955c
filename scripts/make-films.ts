/**
 * Makes `examples/films.json.gz` from a larger set of films: id, title, year, genres and cast of each, and nothing that
 * somebody wrote about it. `examples/films.md` names the source and its terms.
 *
 *   npx tsx scripts/make-films.ts ../shared/data/movies.json.gz
 */
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'

interface Film {
  readonly id: number
  readonly title: string
  readonly year: number
  readonly genres: readonly string[]
  readonly cast: readonly string[]
}

const target = join(import.meta.dirname, '..', 'examples', 'films.json.gz')
const source = process.argv[2]
if (source === undefined) {
  console.error('Which films? npx tsx scripts/make-films.ts PATH_OF_movies.json.gz')
  process.exit(2)
}

const films = JSON.parse(gunzipSync(readFileSync(source)).toString()) as readonly Film[]
const facts = films.map(({ id, title, year, genres, cast }): Film => ({ id, title, year, genres, cast }))
// A film a line: the file can be read, and compared with the next one, after gunzip.
const lines = facts.map((film) => JSON.stringify(film)).join(',\n')
writeFileSync(target, gzipSync(`[\n${lines}\n]\n`, { level: 9 }))
console.log(`${facts.length} films, ${(statSync(target).size / 1e6).toFixed(1)} MB`)
