import fc from 'fast-check'
import { edges } from './requests.js'

/** One thing that is wrong with a value. */
export interface Mistake {
  /** Which of all places in the value, counted around. */
  readonly at: number
  readonly kind: 'replace' | 'drop' | 'rename' | 'nest' | 'repeat'
  /** JSON text of what stands there instead. */
  readonly edge: string
}

export const mistakes: fc.Arbitrary<Mistake> = fc.record({
  at: fc.nat(10_000),
  kind: fc.constantFrom('replace', 'replace', 'drop', 'rename', 'nest', 'repeat'),
  edge: edges,
})

/** The JSON text of a value with a mistake in it. */
export function mistaken(value: unknown, mistake: Mistake): string {
  const place = mistake.at % countPlaces(value)
  let next = 0
  const write = (node: unknown, name?: string): string | undefined => {
    const isHere = next++ === place
    const text = isHere && mistake.kind === 'replace' ? mistake.edge : writeWhole(node, write)
    const member = name === undefined ? text : `${JSON.stringify(name)}:${text}`
    return isHere ? withMistake({ text, member, name, mistake }) : member
  }
  return write(value) ?? ''
}

function countPlaces(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce((sum: number, part) => sum + countPlaces(part), 1)
}

type Write = (node: unknown, name?: string) => string | undefined

function writeWhole(node: unknown, write: Write): string {
  if (typeof node !== 'object' || node === null) return JSON.stringify(node)
  const isList = Array.isArray(node)
  const parts = Object.entries(node).flatMap(([name, part]) => write(part, isList ? undefined : name) ?? [])
  return isList ? `[${parts.join(',')}]` : `{${parts.join(',')}}`
}

interface Written {
  readonly text: string
  readonly member: string
  readonly name: string | undefined
  readonly mistake: Mistake
}

/** Undefined for a part that is left out. */
function withMistake({ text, member, name, mistake }: Written): string | undefined {
  switch (mistake.kind) {
    case 'replace':
      return member
    case 'drop':
      return undefined
    case 'rename':
      return name === undefined ? `{"x":${text}}` : `${JSON.stringify(`${name}s`)}:${text}`
    case 'nest':
      return name === undefined ? `[${text}]` : `${JSON.stringify(name)}:[${text}]`
    case 'repeat':
      return name === undefined ? text : `${member},${JSON.stringify(name)}:${mistake.edge}`
  }
}
