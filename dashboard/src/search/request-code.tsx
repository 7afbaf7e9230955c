import type { SearchParams } from 'meilisearch'
import { Code } from '../parts/code.js'
import { Dialog } from '../parts/dialog.js'
import { apiKey } from '../server/session.js'
import { texts } from '../texts/index.js'

/** The search as others can send it. Keys are not shown: what is copied is often pasted where others read it. */
export function RequestCode({ index, request, onClose }: { index: string; request: SearchParams; onClose(): void }) {
  return (
    <Dialog title={texts.search.request} onClose={onClose} isSheet>
      <h3>curl</h3>
      <Code label="curl" text={curlOf(index, request)} />
      <h3>JavaScript</h3>
      <Code label="JavaScript" text={scriptOf(index, request)} />
    </Dialog>
  )
}

function curlOf(index: string, request: SearchParams): string {
  const body = JSON.stringify(request, null, 2).replaceAll("'", "'\\''")
  const lines = [
    `curl -X POST '${location.origin}/indexes/${encodeURIComponent(index)}/search'`,
    `  -H 'Content-Type: application/json'`,
    ...(apiKey.value === null ? [] : [`  -H "Authorization: Bearer $KEY"`]),
    `  --data '${body}'`,
  ]
  return lines.join(' \\\n')
}

function scriptOf(index: string, request: SearchParams): string {
  const { q, ...rest } = request
  const key = apiKey.value === null ? '' : ', apiKey: process.env.KEY'
  return `import { Meilisearch } from 'meilisearch'

const client = new Meilisearch({ host: ${JSON.stringify(location.origin)}${key} })
const { hits } = await client.index(${JSON.stringify(index)}).search(${JSON.stringify(q)}, ${JSON.stringify(rest, null, 2)})`
}
