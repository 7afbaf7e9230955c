import { SearchIndex } from '../../match/index.js'
import { payloadOf, TestIndex } from '../../match/test-index.fixture.js'

/** An index for tests of what searches read, with settings and documents. */
export class ValueIndex {
  private readonly written = new TestIndex()
  readonly index = new SearchIndex('shop', this.written.folder)

  static async of(settings: object, documents: readonly object[]): Promise<ValueIndex> {
    const made = new ValueIndex()
    // Words are not what these tests are about.
    made.set({ searchableAttributes: ['none'], ...settings })
    await made.add(documents)
    return made
  }

  set(settings: object): void {
    this.written.run({ kind: 'settings', patches: [JSON.stringify(settings)] })
    this.index.refresh()
  }

  async add(documents: readonly object[]): Promise<void> {
    const payload = await payloadOf(documents)
    const operation = { kind: 'import', method: 'replace', payload, primaryKey: null, skipCreation: false } as const
    this.written.run({ kind: 'documents', operations: [operation] })
    this.index.refresh()
  }

  remove(...ids: number[]): void {
    this.written.run({ kind: 'deletions', operations: [{ kind: 'deleteIds', ids: ids.map(String) }] })
    this.index.refresh()
  }

  delete(): Promise<void> {
    return this.written.delete()
  }
}
