import { Index, MetricKind, ScalarKind } from 'usearch'

/** Finds the ten nearest of some members. */
export interface NearestIndex {
  nearest(query: Float32Array, members: Uint32Array): readonly number[]
}

const WANTED = 10

/**
 * A graph in memory. It knows no filters: whoever has one asks for more and throws away what does not pass, so many more
 * that ten should be left.
 */
export class UsearchIndex implements NearestIndex {
  private readonly index: Index

  constructor(private readonly vectors: readonly Float32Array[]) {
    // Zero: what the library thinks best.
    this.index = new Index({
      dimensions: vectors[0]!.length,
      metric: MetricKind.Cos,
      quantization: ScalarKind.F32,
      connectivity: 0,
      expansion_add: 0,
      expansion_search: 0,
      multi: false,
    })
    const matrix = new Float32Array(vectors.length * vectors[0]!.length)
    for (const [i, vector] of vectors.entries()) matrix.set(vector, i * vector.length)
    this.index.add(
      BigUint64Array.from(vectors, (_, i) => BigInt(i)),
      matrix,
    )
  }

  nearest(query: Float32Array, members: Uint32Array): readonly number[] {
    const total = this.vectors.length
    const asked = Math.min(total, Math.ceil((WANTED * 1.5 * total) / members.length))
    const isMember = members.length === total ? () => true : hasMember(members, total)
    const { keys } = this.index.search(query, asked, 0)
    return Array.from(keys, Number).filter(isMember).slice(0, WANTED)
  }
}

function hasMember(members: Uint32Array, total: number): (docId: number) => boolean {
  const bits = new Uint8Array(total)
  for (const docId of members) bits[docId] = 1
  return (docId) => bits[docId] === 1
}
