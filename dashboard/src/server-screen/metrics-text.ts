/** One line of what `GET /metrics` says. */
export interface Metric {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)/
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g

/** The text format of Prometheus, version 0.0.4. Lines that are none of it are passed over. */
export function parseMetrics(text: string): Metric[] {
  return text.split('\n').flatMap((line) => {
    const found = LINE.exec(line)
    if (found === null) return []
    const [, name = '', labels = '', value = ''] = found
    return [{ name, labels: labelsOf(labels), value: numberOf(value) }]
  })
}

const labelsOf = (text: string): Record<string, string> =>
  Object.fromEntries(Array.from(text.matchAll(LABEL), ([, name, value]) => [name, unescaped(value!)]))

const unescaped = (text: string): string => text.replace(/\\(.)/g, (_, char: string) => (char === 'n' ? '\n' : char))

const numberOf = (text: string): number => (text === '+Inf' ? Number.POSITIVE_INFINITY : Number(text))
