/** What differs from one run to the next, in JSON as it is printed. */
const CHANGING: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"TIME"'],
  [/folder \/\S+ is in use by process \d+ on host \S+ since [\dTZ:.-]+(?=[.:])/g, 'folder FOLDER is in use'],
  [/--master-key [\w-]{43}/g, '--master-key SUGGESTED'],
  [/\(node:\d+\)/g, '(node:PID)'],
  [/"PT[\d.]+S"/g, '"DURATION"'],
  [/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, 'UUID'],
  [/\b[\da-f]{64}\b/g, 'KEY'],
  [/\b[\da-f]{40}\b/g, 'COMMIT'],
  [/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'TOKEN'],
  [/\b\d{8}-\d{9}\b/g, 'DUMP'],
  [/("(?:processingTimeMs|batchUid|\w*[sS]ize|fileBytes)": ?)\d+/g, '$10'],
]

/** Output without what differs from one run to the next, and without the way in which JSON is laid out. */
export function comparable(output: string): unknown {
  const steady = CHANGING.reduce((text, [pattern, name]) => text.replaceAll(pattern, name), output.trim())
  try {
    return JSON.parse(steady)
  } catch {
    return steady
  }
}

/** An error object that nobody announced. */
export function isError(output: string): boolean {
  return /^\{"message":".*","code":"\w+","type":"\w+","link":".*"\}$/.test(output.trim())
}

const WIDTH = 110

/** JSON for people: what fits on a line stays on one. */
export function layOut(value: unknown, indent = ''): string {
  const line = oneLine(value)
  if (line.length + indent.length <= WIDTH || typeof value !== 'object' || value === null) return line
  const inner = `${indent}  `
  if (Array.isArray(value)) return `[\n${value.map((item) => inner + layOut(item, inner)).join(',\n')}\n${indent}]`
  const members = Object.entries(value).map(([name, item]) => `${inner}${JSON.stringify(name)}: ${layOut(item, inner)}`)
  return `{\n${members.join(',\n')}\n${indent}}`
}

function oneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(oneLine).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${oneLine(item)}`)
  return `{${members.join(', ')}}`
}
