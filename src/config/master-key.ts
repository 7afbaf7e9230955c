import { randomBytes } from 'node:crypto'
import { LaunchError } from './launch-error.js'

const MIN_BYTES = 16
const SUGGESTED_BYTES = 32

/** A key worth proposing: 32 random bytes, URL-safe base64 without padding (spec 1 §4.1). */
export function generateMasterKey(): string {
  return randomBytes(SUGGESTED_BYTES).toString('base64url')
}

/** In production a missing or short key is refused (spec 1 §6.3); in development it is worth a warning. */
export function checkMasterKey(
  facts: { masterKey: string | null; environment: 'development' | 'production'; generateKey: () => string },
  warnings: string[],
): void {
  const weakness = findWeakness(facts.masterKey)
  if (weakness === undefined) return
  const proposal = `For example: --master-key ${facts.generateKey()}`
  if (facts.environment === 'production') throw new LaunchError(`In production ${weakness.rule} ${proposal}`)
  warnings.push(`${weakness.warning} ${proposal}`)
}

function findWeakness(masterKey: string | null): { rule: string; warning: string } | undefined {
  const range = `at least ${MIN_BYTES} bytes`
  if (masterKey === null) {
    return {
      rule: `a master key of ${range} is required, and none was given.`,
      warning:
        'There is no master key: whoever reaches the server may read and change everything, and API keys are off.',
    }
  }
  const bytes = Buffer.byteLength(masterKey)
  if (bytes >= MIN_BYTES) return undefined
  return {
    rule: `the master key must have ${range}; the one given has ${bytes}.`,
    warning: `The master key has ${bytes} bytes, production asks for ${range}.`,
  }
}
