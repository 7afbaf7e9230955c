import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { recordings } from '../recordings.js'

interface Trace {
  readonly steps: readonly { readonly method: string; readonly uri: string }[]
}

/** What is played against a network: searches of all kinds, and documents. The other areas are about one server. */
const AREAS = ['search', 'similar', 'documents', 'vector']

/**
 * Left out are conversations that change the network, or ask for what each server says of itself: sizes, batches, and
 * templates, which are rendered with a document of the server that is asked.
 */
const OF_ONE_SERVER = /^\/(?:network|stats|batches|render-template)|\/stats$/

/** Writes the recordings that make sense for a network into a folder, which is gone afterwards. */
export function withShardTraces<T>(use: (folder: string) => T): T {
  const source = join(recordings, 'traces')
  const folder = mkdtempSync(join(tmpdir(), 'findling-shard-traces-'))
  try {
    for (const area of AREAS) {
      const file = readdirSync(source).find((name) => name.split('.')[0] === area)!
      const kept = lines(join(source, file)).filter((line) => isForNetwork(JSON.parse(line) as Trace))
      writeFileSync(join(folder, `${area}.jsonl`), kept.join('\n'))
    }
    return use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function lines(file: string): string[] {
  const bytes = readFileSync(file)
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
  return text.split('\n').filter((line) => line !== '')
}

const isForNetwork = ({ steps }: Trace): boolean => !steps.some(({ uri }) => OF_ONE_SERVER.test(uri.split('?')[0]!))
