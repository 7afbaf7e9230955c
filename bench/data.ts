import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type Film, makeSearches } from './example-searches.js'
import type { Document, SearchSet } from './workload.js'

const project = join(import.meta.dirname, '..')
const shared = join(project, '..', 'shared')
const fullFilms = join(shared, 'data', 'movies.json.gz')
const fullSearches = join(shared, 'conformance', 'relevance', 'movies-default.json')
const exampleFilms = join(project, 'examples', 'films.json.gz')

/**
 * Which films are measured: those with texts, which lie beside the project where there are any, or the facts that come
 * with it. Figures of the one say nothing about figures of the other. BENCH_DATA=example chooses the latter.
 */
export const filmSet: 'full' | 'example' =
  process.env.BENCH_DATA !== 'example' && existsSync(fullFilms) && existsSync(fullSearches) ? 'full' : 'example'

/** To be printed with every figure that comes of films. */
export const filmSetNote =
  filmSet === 'full'
    ? 'films with texts (../shared/data/movies.json.gz), recorded searches'
    : 'films without texts (examples/films.json.gz), searches made of them; not comparable with figures of films with texts'

/** What is wanted of films was set for those with texts. */
export const filmTarget = (target: string): string | undefined => (filmSet === 'full' ? target : undefined)

export function readFilms(): readonly Document[] {
  return readDocuments(filmSet === 'full' ? fullFilms : exampleFilms)
}

export function readFilmSearches(): SearchSet {
  return filmSet === 'full' ? readJson(fullSearches) : makeSearches(readDocuments<Film>(exampleFilms))
}

const cityDocuments = join(shared, 'data', 'world-cities.json.gz')
const citySearches = join(shared, 'conformance', 'relevance', 'cities.json')

/** Undefined where they are not beside the project: it has none of its own. */
export function readCities(): { documents: readonly Document[]; set: SearchSet } | undefined {
  if (!existsSync(cityDocuments) || !existsSync(citySearches)) return undefined
  return { documents: readDocuments(cityDocuments), set: readJson(citySearches) }
}

function readDocuments<T = Document>(path: string): readonly T[] {
  return JSON.parse(gunzipSync(readFileSync(path)).toString())
}

function readJson(path: string): SearchSet {
  return JSON.parse(readFileSync(path, 'utf8'))
}
