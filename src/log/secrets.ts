import { isSecretName } from '../secret/index.js'

/** Almost all names are written in our own code, so their verdicts are remembered; header names may be anything. */
const MAX_REMEMBERED = 500
const verdicts = new Map<string, boolean>()
const HIDDEN = '[hidden]'
/** Facts are shallow; deeper objects are left out, so that a cycle ends too. */
const MAX_DEPTH = 6

/** The facts with every value hidden whose name says that it is a secret, at any depth. */
export function hideSecrets(facts: Record<string, unknown>): Record<string, unknown> {
  return hideInside(facts, 0)
}

function hideInside(facts: object, depth: number): Record<string, unknown> {
  const shown: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(facts)) {
    shown[name] = isSecret(name) && value !== null && value !== undefined ? HIDDEN : hideIn(value, depth + 1)
  }
  return shown
}

function isSecret(name: string): boolean {
  const known = verdicts.get(name)
  if (known !== undefined) return known
  const verdict = isSecretName(name)
  if (verdicts.size < MAX_REMEMBERED) verdicts.set(name, verdict)
  return verdict
}

function hideIn(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Error) return value
  if (depth > MAX_DEPTH) return '[deeper]'
  if (Array.isArray(value)) return value.map((item) => hideIn(item, depth + 1))
  return isPlain(value) ? hideInside(value, depth) : value
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
