import fc from 'fast-check'
import { expect, test } from 'vitest'
import { indexStats } from '../index-stats.js'
import { userProvided, VectorIndex } from './vector-index.fixture.js'

/** What a document says about the embedder; undefined for nothing. */
type Entry = number[][] | undefined

type Command =
  | { readonly do: 'add'; readonly documents: readonly (readonly [id: number, entry: Entry])[] }
  | { readonly do: 'delete'; readonly id: number }
  | { readonly do: 'clear' | 'turn on' | 'turn off' }

const id = fc.integer({ min: 0, max: 5 })
const vector = fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 2, maxLength: 2 })
const entry = fc.option(fc.array(vector, { maxLength: 3 }), { nil: undefined })
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.array(fc.tuple(id, entry), { maxLength: 3 }).map((documents) => ({ do: 'add', documents }) as const),
  },
  { weight: 2, arbitrary: id.map((each) => ({ do: 'delete', id: each }) as const) },
  { weight: 3, arbitrary: fc.constantFrom('turn on', 'turn off').map((each) => ({ do: each }) as const) },
  { weight: 1, arbitrary: fc.constant({ do: 'clear' } as const) },
)

/** The rules of spec 7 §1.13 to §1.15 for an embedder whose vectors come from users, said plainly. */
class Model {
  isOn = false
  documents = new Map<number, { readonly entry: Entry; readonly isWrittenBack: boolean }>()

  /** Answers whether the command can be done. */
  apply(command: Command): boolean {
    switch (command.do) {
      case 'add':
        return this.add(command.documents)
      case 'delete':
        this.documents.delete(command.id)
        return true
      case 'clear':
        this.documents.clear()
        return true
      case 'turn on':
        this.isOn ||= [...this.documents.values()].every(({ entry }) => entry !== undefined)
        return this.isOn
      case 'turn off':
        if (this.isOn)
          for (const [each, { entry }] of this.documents) this.documents.set(each, { entry, isWrittenBack: true })
        this.isOn = false
        return true
    }
  }

  private add(arriving: readonly (readonly [id: number, entry: Entry])[]): boolean {
    const next = new Map(this.documents)
    for (const [each, entry] of arriving) {
      const kept = this.isOn ? next.get(each)?.entry : undefined
      next.set(each, { entry: entry ?? kept, isWrittenBack: false })
    }
    if (this.isOn && [...next.values()].some(({ entry }) => entry === undefined)) return false
    this.documents = next
    return true
  }

  shown(each: number): unknown {
    const { entry, isWrittenBack } = this.documents.get(each)!
    const embeddings = entry ?? []
    if (this.isOn || isWrittenBack) return { e: { embeddings, regenerate: false } }
    return entry === undefined ? {} : { e: entry }
  }

  get vectorCount(): number {
    return this.isOn ? [...this.documents.values()].reduce((sum, { entry }) => sum + (entry?.length ?? 0), 0) : 0
  }
}

async function carryOut(index: VectorIndex, command: Command) {
  switch (command.do) {
    case 'add':
      return index.add(
        command.documents.map(([each, entry]) => ({
          id: each,
          ...(entry === undefined ? {} : { _vectors: { e: entry } }),
        })),
      )
    case 'delete':
      return index.delete(String(command.id))
    case 'clear':
      return index.run({ kind: 'clear', patches: [] })
    case 'turn on':
      return index.embed({ e: userProvided(2) })
    case 'turn off':
      return index.embed({ e: null })
  }
}

test('any sequence of tasks leaves the vectors that the rules say', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { maxLength: 12 }), async (commands) => {
      const index = new VectorIndex()
      const model = new Model()
      for (const each of commands) {
        const isDone = model.apply(each)
        const failure = await carryOut(index, each)
        expect(failure?.code).toBe(isDone ? undefined : 'vector_embedding_error')
        for (const docId of model.documents.keys()) expect(index.vectors(String(docId))).toEqual(model.shown(docId))
        if (index.folder.meta() === undefined) continue
        const { numberOfDocuments, numberOfEmbeddings } = indexStats(index.folder)
        expect([numberOfDocuments, numberOfEmbeddings]).toEqual([model.documents.size, model.vectorCount])
      }
    }),
    { numRuns: 15 },
  )
}, 60_000)
