/** The codings this server can answer with, best first (spec 1 §2.5). */
export const CODINGS = ['br', 'gzip', 'deflate'] as const

export type Coding = (typeof CODINGS)[number]

/** How to encode an answer, or `none` when the client accepts nothing that can be sent. */
export type Negotiated = Coding | 'identity' | 'none'

/** Chooses by q-value, then by our own order. `*` never selects a coding, it can only exclude identity. */
export function negotiateEncoding(header: string | undefined): Negotiated {
  if (header === undefined) return 'identity'
  const weights = readWeights(header)
  let best: Coding | undefined
  for (const coding of CODINGS) {
    if ((weights.get(coding) ?? 0) > (best === undefined ? 0 : weights.get(best)!)) best = coding
  }
  if (best !== undefined) return best
  const identityWeight = weights.get('identity') ?? weights.get('*')
  return identityWeight === 0 ? 'none' : 'identity'
}

function readWeights(header: string): Map<string, number> {
  const weights = new Map<string, number>()
  for (const entry of header.split(',')) {
    const [name = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
    if (name !== '') weights.set(name, weightOf(parameters))
  }
  return weights
}

/** 1 unless `q` says otherwise; a weight that is no number from 0 to 1 does not count. */
function weightOf(parameters: readonly string[]): number {
  const given = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
  if (given === undefined) return 1
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(given) ? Number(given) : 1
}
