import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { PeerFigures } from './peer-figures.js'

/**
 * What Tantivy is asked to do, through its Python package if that is installed: the same films and searches, in the memory
 * of its process. The figures come back as a line of JSON.
 */
const SCRIPT = `
import json, re, sys, time, tantivy
work = json.load(sys.stdin)
def memory(): return int(re.search(r"RssAnon:\\s+(\\d+)", open("/proc/self/status").read()).group(1)) / 1024
schema = tantivy.SchemaBuilder()
fields = ["title", "cast", "genres", "extract"]
for field in fields: schema.add_text_field(field, stored=False)
index = tantivy.Index(schema.build())
texts = [{f: " ".join(d[f]) if isinstance(d.get(f), list) else str(d.get(f) or "") for f in fields} for d in work["documents"]]
before = memory()
started = time.perf_counter()
writer = index.writer(200_000_000, 2)
for text in texts: writer.add_document(tantivy.Document(**text))
writer.commit()
writer.wait_merging_threads()
indexed = time.perf_counter() - started
index.reload()
searcher = index.searcher()
times = []
for q in work["queries"]:
    started = time.perf_counter()
    query, _ = index.parse_query_lenient(q, fields)
    searcher.search(query, 20)
    times.append((time.perf_counter() - started) * 1000)
used = memory() - before
added = []
writer = index.writer(50_000_000, 1)
for text in texts[:20]:
    started = time.perf_counter()
    writer.add_document(tantivy.Document(**text))
    writer.commit()
    index.reload()
    added.append((time.perf_counter() - started) * 1000)
print(json.dumps({"indexedSeconds": indexed, "memoryMb": used, "searchMs": times[work["warmUp"]:], "addMs": added}))
`

export interface TantivyWork {
  readonly documents: readonly object[]
  readonly queries: readonly string[]
  /** So many of the queries are not counted. */
  readonly warmUp: number
}

/** Undefined where there is no Python with Tantivy. */
export async function measureTantivy(python: string, work: TantivyWork): Promise<PeerFigures | undefined> {
  const child = spawn(python, ['-c', SCRIPT], { stdio: ['pipe', 'pipe', 'ignore'] })
  const parts: Buffer[] = []
  child.stdout.on('data', (part: Buffer) => parts.push(part))
  child.stdin.on('error', () => {})
  child.stdin.end(JSON.stringify(work))
  const ended = once(child, 'close').catch(() => [1])
  const [status] = (await ended) as [number]
  return status === 0 ? JSON.parse(Buffer.concat(parts).toString()) : undefined
}
