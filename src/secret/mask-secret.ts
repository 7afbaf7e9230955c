interface Step {
  /** Longest secret, in bytes, that this step masks. */
  readonly upTo: number
  readonly keptBytes: number
  readonly suffix: string
}

const STEPS: readonly Step[] = [
  { upTo: 9, keptBytes: 0, suffix: 'XXX...' },
  { upTo: 19, keptBytes: 2, suffix: 'XXXX...' },
  { upTo: 29, keptBytes: 3, suffix: 'XXXXX...' },
  { upTo: Number.POSITIVE_INFINITY, keptBytes: 5, suffix: 'XXXXXX...' },
]

/** The first bytes of the secret, up to the next character boundary, and a number of X (spec 2 §5.3). */
export function maskSecret(secret: string): string {
  const sizeBytes = Buffer.byteLength(secret)
  const step = STEPS.find(({ upTo }) => sizeBytes <= upTo)!
  let kept = ''
  for (const character of secret) {
    if (Buffer.byteLength(kept) >= step.keptBytes) break
    kept += character
  }
  return kept + step.suffix
}
