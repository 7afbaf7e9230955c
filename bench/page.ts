/**
 * Makes `docs/performance.md` of the figures that `npm run bench -- --json figures.json` wrote.
 *
 *   npx tsx bench/page.ts figures.json
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Figure, type Results, shownValue } from './report.js'

const BAR_WIDTH = 40

const results = JSON.parse(readFileSync(process.argv[2] ?? 'figures.json', 'utf8')) as Results
writeFileSync(join(import.meta.dirname, '..', 'docs', 'performance.md'), page(results))

function page({ date, node, machine, films, loopMs, figures, note }: Results): string {
  const workloads = [...new Set(figures.map(({ workload }) => workload))]
  const [before, after] = loopMs.map((ms) => ms.toFixed(0))
  return `# Performance

Made by \`npm run bench -- --json figures.json\` and \`npx tsx bench/page.ts figures.json\`; \`bench/index.ts\` tells what can
be chosen. Server, client and peers share the machine.

**First time** is the figure that counts: each search is asked once after a write, and nothing of it is remembered.
*Asked again* are searches whose whole answers the server thread still has: how fast an answer is handed out, not how
fast it is found. Peers remember nothing, so compare them with the first.

- ${date.slice(0, 10)}, Node ${node}, ${machine}
- ${capital(films)}
- A plain loop of 200 million steps took ${before} ms before and ${after} ms after: compare figures of other days by it,
  and by the peers of the same run. What is wanted was set on a machine where MiniSearch indexes these films in 4 s.${note === undefined ? '' : `\n- ${note}`}

${section('growth', figures)}
${comparison('Films indexed', figures, 'indexed', ['movies', 'peers'])}
${comparison('Searches in films, p50', figures, 'p50', ['movies', 'peers'])}
${workloads
  .filter((workload) => workload !== 'growth')
  .map((workload) => section(workload, figures))
  .join('\n')}`
}

function section(workload: string, figures: readonly Figure[]): string {
  const rows = figures
    .filter((figure) => figure.workload === workload)
    .map(({ name, value, unit, target }) => `| ${name} | ${shownValue(value, unit)} | ${target ?? ''} |`)
  return `## ${capital(workload)}\n\n| | measured | wanted |\n|---|---|---|\n${rows.join('\n')}\n`
}

/** Ours and the peers' as bars; the one over HTTP with tasks and disk is ours. */
function comparison(title: string, figures: readonly Figure[], ending: string, workloads: readonly string[]): string {
  const ours = /^indexed$|^searches, first time, p50$/
  const chosen = figures.filter(
    ({ workload, name }) =>
      workloads.includes(workload) && name.endsWith(ending) && (workload === 'peers' || ours.test(name)),
  )
  if (chosen.length === 0) return ''
  const largest = Math.max(...chosen.map(({ value }) => Math.log1p(value)))
  const lines = chosen.map(({ workload, name, value, unit }) => {
    const label = workload === 'peers' ? name : `Findling, over HTTP, ${name}`
    const bar = '█'.repeat(Math.max(1, Math.round((Math.log1p(value) / largest) * BAR_WIDTH)))
    return `${label.padEnd(64)} ${bar} ${shownValue(value, unit)}`
  })
  return `## ${title}\n\nLogarithmic bars.\n\n\`\`\`\n${lines.join('\n')}\n\`\`\`\n`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
