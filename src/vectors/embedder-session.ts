import type { DocId, StoredDocument } from '../documents/index.js'
import { FailureError, failure } from '../errors/index.js'
import type { Embedder } from '../settings/index.js'
import { JobCancelled } from '../threads/index.js'
import type { DocumentEmbedders } from './document-embedders.js'
import type { DocumentRenderer, SlotInput } from './document-renderer.js'
import type { EmbedderWriter } from './embedder-writer.js'
import type { VectorDirective } from './given-vectors.js'

/** A document whose vectors are looked at. */
export interface EmbeddedDocument {
  readonly documentId: string
  readonly docId: DocId
  readonly document: StoredDocument
  /** What templates see first of it, in this order: the attributes as they were sent. */
  readonly sentNames?: readonly string[] | undefined
}

export interface SessionParts {
  readonly name: string
  readonly config: Embedder
  readonly writer: EmbedderWriter
  /** Undefined where vectors come from users. */
  readonly renderer: DocumentRenderer | undefined
  readonly embedders: DocumentEmbedders | undefined
  readonly isCancelled: () => boolean
  /** What to say when documents lack vectors that nobody but their users can make. */
  describeMissing(missing: { readonly docId: DocId; readonly documentId: string; readonly others: number }): string
}

/** As many inputs as ten to a request, forty requests at once (spec 7 §1.12). */
const INPUTS_AT_ONCE = 400
const MAX_WAITING_BYTES = 16 << 20

/**
 * One embedder while documents or settings change: decides which documents are embedded (spec 7 §1.14), and has that
 * done for many of them at once.
 */
export class EmbedderSession {
  readonly writer: EmbedderWriter
  private readonly waiting = new Map<DocId, Map<number, SlotInput>>()
  private waitingInputs = 0
  private waitingBytes = 0
  /** Documents whose users gave no vectors, with their ids. */
  private readonly missing = new Map<DocId, string>()

  constructor(private readonly parts: SessionParts) {
    this.writer = parts.writer
  }

  insert(document: EmbeddedDocument, given: VectorDirective | undefined): void {
    const { docId } = document
    if (given?.kind === 'vectors') this.receive(docId, given)
    else if (given?.regenerate === false) this.writer.setFixed(docId, true)
    else this.generate(document)
  }

  /** `before` is the document as it was. */
  update(document: EmbeddedDocument, before: StoredDocument, given: VectorDirective | undefined): void {
    const { docId } = document
    if (given?.kind === 'vectors') this.receive(docId, given)
    else if (given?.regenerate === false) this.keep(docId)
    else if (!this.writer.isFixed(docId)) {
      this.compare(document, this.rendered(this.parts.renderer, before))
      if (given !== undefined) this.writer.setUserProvided(docId, false)
    } else if (given !== undefined) this.regenerate(document)
  }

  /** Nothing changes; but a document that came with this very batch, without vectors, has now said why. */
  private keep(docId: DocId): void {
    if (this.missing.delete(docId)) this.writer.setFixed(docId, true)
  }

  /** Embeds what differs from what `old` made of the same document. */
  rerender(document: EmbeddedDocument, old: DocumentRenderer | undefined): void {
    if (!this.writer.isFixed(document.docId)) this.compare(document, this.rendered(old, document.document))
  }

  /** Drops all vectors and embeds anew. */
  regenerate(document: EmbeddedDocument): void {
    const { docId } = document
    this.writer.clear(docId)
    this.writer.setFixed(docId, false)
    this.writer.setUserProvided(docId, false)
    this.generate(document)
  }

  forget(docId: DocId): void {
    this.stopWaiting(docId)
    this.writer.forget(docId)
  }

  /** Embeds what still waits. Throws when users left out vectors. */
  finish(): void {
    const [first] = this.missing
    if (first !== undefined) {
      const missing = { docId: first[0], documentId: first[1], others: this.missing.size - 1 }
      throw new FailureError(failure('vector_embedding_error', this.parts.describeMissing(missing)))
    }
    this.embedWaiting()
    this.writer.flush()
  }

  private receive(docId: DocId, { vectors, regenerate }: Extract<VectorDirective, { kind: 'vectors' }>): void {
    this.stopWaiting(docId)
    this.writer.replace(docId, vectors)
    this.writer.setUserProvided(docId, true)
    this.writer.setFixed(docId, !regenerate)
  }

  private generate(document: EmbeddedDocument): void {
    this.stopWaiting(document.docId)
    if (this.parts.renderer === undefined) this.missing.set(document.docId, document.documentId)
    else for (const input of this.inputsOf(document)) this.wait(document.docId, input)
  }

  /**
   * `old` is what was rendered before, in the order of what is stored; undefined when that was not possible. So that
   * another order alone costs no vectors, both are compared in that one.
   */
  private compare(document: EmbeddedDocument, old: readonly SlotInput[] | undefined): void {
    if (this.parts.renderer === undefined) return
    const { docId, sentNames } = document
    const before = identitiesOf(old)
    const inputs = this.inputsOf(document)
    const after = identitiesOf(sentNames && old ? this.rendered(this.parts.renderer, document.document) : inputs)
    const changed = inputs.filter(({ slot }) => !before.has(slot) || before.get(slot) !== after.get(slot))
    const gone = [...before.keys()].filter((slot) => inputs.every((input) => input.slot !== slot))
    if (changed.length === 0 && gone.length === 0) return
    // Vectors of users make place for generated ones, all of them at once.
    if (this.writer.setUserProvided(docId, false)) this.regenerate(document)
    else this.exchange(docId, gone, changed)
  }

  private exchange(docId: DocId, gone: readonly number[], changed: readonly SlotInput[]): void {
    for (const slot of gone) {
      this.waiting.get(docId)?.delete(slot)
      this.writer.remove(docId, slot)
    }
    for (const input of changed) this.wait(docId, input)
  }

  private inputsOf({ documentId, document, sentNames }: EmbeddedDocument): readonly SlotInput[] {
    const rendered = this.parts.renderer!.render(document, sentNames)
    if (rendered.ok) return rendered.inputs
    if (this.parts.embedders?.ignoresTemplateFailures) return []
    const place = `The template of the embedder \`${this.parts.name}\``
    const detail = `${place} cannot be rendered for document ${JSON.stringify(documentId)}: ${rendered.reason}.`
    throw new FailureError(failure('invalid_document_fields', detail))
  }

  private rendered(renderer: DocumentRenderer | undefined, document: StoredDocument): readonly SlotInput[] | undefined {
    const rendered = renderer?.render(document)
    return rendered?.ok ? rendered.inputs : undefined
  }

  private stopWaiting(docId: DocId): void {
    this.missing.delete(docId)
    this.waiting.delete(docId)
  }

  private wait(docId: DocId, input: SlotInput): void {
    let inputs = this.waiting.get(docId)
    if (inputs === undefined) this.waiting.set(docId, (inputs = new Map()))
    inputs.set(input.slot, input)
    this.waitingInputs++
    this.waitingBytes += input.identity.length
    if (this.waitingInputs >= INPUTS_AT_ONCE || this.waitingBytes >= MAX_WAITING_BYTES) this.embedWaiting()
  }

  private embedWaiting(): void {
    const places = [...this.waiting].flatMap(([docId, inputs]) =>
      [...inputs.values()].map((each) => ({ docId, ...each })),
    )
    this.waiting.clear()
    this.waitingInputs = 0
    this.waitingBytes = 0
    if (places.length === 0) return
    const vectors = this.embed(places)
    for (const [i, { docId, slot }] of places.entries()) {
      const vector = vectors[i]!
      if (vector.length === 0) this.writer.remove(docId, slot)
      else this.writer.put(docId, slot, vector)
    }
  }

  private embed(inputs: readonly SlotInput[]): readonly Float32Array[] {
    const { name, config, embedders, isCancelled } = this.parts
    if (embedders === undefined) throw new FailureError(failure('vector_embedding_error', noModel(name)))
    const embedded = embedders.embed(
      name,
      config,
      inputs.map(({ input }) => input),
      isCancelled,
    )
    if (isCancelled()) throw new JobCancelled()
    if (!embedded.ok) throw new FailureError(embedded.failure)
    return embedded.value
  }
}

const identitiesOf = (inputs: readonly SlotInput[] | undefined): Map<number, string> =>
  new Map(inputs?.map(({ slot, identity }) => [slot, identity]))

const noModel = (name: string): string =>
  `The embedder \`${name}\` has to ask a model, and there is no way to one here: send vectors with the documents, or use a server.`
