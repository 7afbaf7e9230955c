import type { Family, Sample } from './family.js'

export const METRICS_CONTENT_TYPE = 'text/plain; version=0.0.4'

/** The metrics in the text format of Prometheus. A family without samples is not shown (spec 1 §5.5). */
export function exposeMetrics(families: readonly Family[]): string {
  const shown = families.filter(({ samples }) => samples.length > 0)
  return `${shown.map(exposeFamily).join('\n\n')}\n`
}

function exposeFamily({ name, help, type, samples }: Family): string {
  const lines = samples.map((sample) => exposeSample(name, sample))
  return [`# HELP ${name} ${escaped(help)}`, `# TYPE ${name} ${type}`, ...lines].join('\n')
}

function exposeSample(name: string, { suffix, labels, value }: Sample): string {
  const pairs = Object.entries(labels).map(
    ([label, text]) => `${label}="${escaped(String(text)).replaceAll('"', '\\"')}"`,
  )
  return `${name}${suffix ?? ''}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${exposeNumber(value)}`
}

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')

/** JavaScript and Go write all numbers alike but this one; none of ours is negative infinity or no number. */
const exposeNumber = (value: number): string => (value === Number.POSITIVE_INFINITY ? '+Inf' : String(value))
