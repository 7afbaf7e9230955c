import { createAnalyzer } from '../src/text/index.js'
import { filmSetNote, readFilms } from './data.js'

/**
 * How fast text becomes positioned words, in MB of UTF-8 a second on one thread: the extracts of the movies, or their
 * titles where there are no extracts.
 *
 *     npx tsx bench/text.ts
 */
const ROUNDS = 9

console.log(filmSetNote)
const movies = readFilms() as readonly { title: string; extract?: string }[]
const extracts = movies.flatMap(({ extract }) => (extract === undefined ? [] : [extract]))
const texts = extracts.length > 0 ? extracts : movies.map(({ title }) => title)
const sizeMegabytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / 1e6

console.log(`${texts.length} texts, ${sizeMegabytes.toFixed(1)} MB`)
report('words of documents', (analyzer) => {
  let count = 0
  for (const text of texts) {
    analyzer.positionWords({ text, locales: undefined, startPosition: 0 }, () => {
      count++
    })
  }
  return count
})
report('tokens of documents', (analyzer) => {
  let count = 0
  for (const text of texts) count += analyzer.tokenize(text).length
  return count
})

function report(name: string, run: (analyzer: ReturnType<typeof createAnalyzer>) => number): void {
  const analyzer = createAnalyzer()
  const speeds: number[] = []
  let count = 0
  for (let round = 0; round < ROUNDS; round++) {
    const begin = performance.now()
    count = run(analyzer)
    speeds.push(sizeMegabytes / ((performance.now() - begin) / 1000))
  }
  const first = speeds[0]!
  const [slowest, median, fastest] = [0, ROUNDS >> 1, ROUNDS - 1].map((i) => speeds.toSorted((a, b) => a - b)[i]!)
  const show = (speed: number | undefined) => (speed ?? 0).toFixed(0).padStart(4)
  console.log(
    `${name.padEnd(20)} ${show(median)} MB/s (first ${show(first)}, slowest ${show(slowest)}, fastest ${show(fastest)}), ${count} found`,
  )
}
