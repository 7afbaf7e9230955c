import { Bitmap } from '../../bitmap/index.js'
import { factRules, ValueSink } from '../../columns/index.js'
import type { DocId, FieldRegistry } from '../../documents/index.js'
import { FailureError, failure } from '../../errors/index.js'
import type { ChangeSink, IndexFolder, IndexMeta } from '../../folder/index.js'
import { readSettings } from '../../folder/index.js'
import { clearShapes, GeoCheck, ShapeCheck, ShapeField, ShapeSink } from '../../geo/index.js'
import { parse } from '../../json/index.js'
import {
  clearWords,
  documentAnalyzer,
  followPrefixes,
  followSets,
  type SetNeeds,
  WordRules,
  WordSink,
  type WordSinkOptions,
  type WordThread,
} from '../../postings/index.js'
import {
  applyPatches,
  changedParts,
  compileFieldRoles,
  encodeSettings,
  type FieldRoles,
  isGeoEnabled,
  isGeoJsonEnabled,
  isSearched,
  keepsValues,
  readPatch,
  type Settings,
  type SettingsPatch,
} from '../../settings/index.js'
import { JobCancelled } from '../../threads/index.js'
import type { DocumentEmbedders, KeptCentres, VectorWork } from '../../vectors/index.js'
import { analyzedForms } from '../analysis/analyzed-forms.js'
import { DocumentWriter, finishSinks } from '../documents/document-writer.js'
import { NameSink } from '../fields/name-sink.js'
import { frequentNeeds } from '../sets/frequent-needs.js'
import { ShardTally } from '../shards/shard-tally.js'
import { foreignDocuments, ShardWriter } from '../shards/shard-writer.js'
import { forgetShards, StoredShards } from '../shards/stored-shards.js'
import { rebuildVectors } from '../vectors/rebuild-vectors.js'
import { clearVectors, VectorSink } from '../vectors/vector-sink.js'
import { type ApplyContext, applyDeletions, applyDocuments, byShard, removeSelected } from './apply-documents.js'
import { editDocuments } from './edit-documents.js'
import type { IndexJob, IndexWork, JobHooks, TaskOutcome } from './job.js'

/** What the job needs from rooms above this one. */
export interface JobServices {
  /** The documents a filter (JSON text) selects; throws `FailureError` with the document codes. */
  selectByFilter(folder: IndexFolder, selection: { readonly indexUid: string; readonly filter: string }): Bitmap
  /** Absent where no model can be reached. */
  readonly embedders?: DocumentEmbedders
  readonly words?: WordResources
  /** Absent where centres of lists of vectors are read anew for each job. */
  readonly keptCentres?: KeptCentres
}

type SetPolicy = Pick<SetNeeds, 'manyDocuments' | 'mostChanged' | 'rarityLimits'>

/** What the words of a batch may use. */
export interface WordResources {
  /** Absent where documents are cut into words by the thread that writes them. */
  readonly thread?: WordThread | undefined
  /** Batches with fewer bytes of documents do without the thread, 1 MB unless given. */
  readonly minBatchBytes?: number | undefined
  /** Memory for words that are not written yet. */
  readonly maxBytes?: number | undefined
  /** From so many documents on short prefixes are kept: see `followPrefixes`. */
  readonly manyDocuments?: number | undefined
  /** When sets of frequent words are renewed: see `followSets`. By `refreshSets`, when there is nothing else to do, or now. */
  readonly sets?: 'later' | SetPolicy | undefined
}

/** Steps that are shown while the job runs, and told with their times afterwards. */
const APPLYING = 'applying documents'
const ASSIGNING = 'assigning documents to shards'
const DROPPING = 'deleting documents of shards that others own'
const WRITING = 'writing what is found by them'

/** The work of one batch, inside its transaction. */
export class JobWork {
  private readonly meta: IndexMeta
  private readonly shards: ShardWriter | undefined
  readonly tally: ShardTally | undefined

  constructor(
    private readonly folder: IndexFolder,
    private readonly job: IndexJob,
    private readonly services: JobServices,
    private readonly hooks: JobHooks,
  ) {
    this.meta = folder.meta()!
    this.shards = job.shards && new ShardWriter(folder, job.shards)
    if (job.countsShards) this.tally = this.shards && tallyOf(folder, this.shards)
  }

  run(): TaskOutcome[] {
    this.followShards()
    const { meta, outcomes } = this.work(this.job.work)
    this.followFrequent(meta)
    const lastBatch = { key: this.job.batchKey, outcome: outcomes }
    this.folder.putMeta({ ...meta, lastBatch })
    return outcomes
  }

  private followShards(): void {
    if (this.shards === undefined) forgetShards(this.folder.databases.shards)
    else this.shards.follow((finished, total) => this.step(ASSIGNING, finished, total))
  }

  private step(name: string, finished: number, total: number): void {
    if (this.hooks.isCancelled()) throw new JobCancelled()
    this.hooks.progress(name, finished, total)
  }

  /** What large indexes keep of prefixes and of frequent words. */
  private followFrequent({ documentCount }: IndexMeta): void {
    const { manyDocuments, sets } = this.services.words ?? {}
    const needs = frequentNeeds(this.folder, documentCount, () => this.hooks.isCancelled())
    followPrefixes(this.folder, { ...needs, manyDocuments })
    if (sets !== 'later') followSets(this.folder, { ...needs, ...sets })
  }

  private work(work: IndexWork): { meta: IndexMeta; outcomes: TaskOutcome[] } {
    switch (work.kind) {
      case 'create':
        return { meta: this.meta, outcomes: [{ ok: true }] }
      case 'shards':
        this.tally?.addStored(this.folder.docIds())
        return { meta: this.meta, outcomes: [{ ok: true, ...byShard(this) }] }
      case 'documents':
        return this.documents(work.operations)
      case 'deletions':
        return this.deletions(work.operations)
      case 'clear':
        return this.clear(work.patches)
      case 'settings':
        return { meta: this.settings(this.meta, work.patches), outcomes: [{ ok: true }] }
      case 'edit':
        return this.edit(work)
      case 'dropForeign':
        return this.dropForeign()
      case 'primaryKey':
        return { meta: this.primaryKey(work.primaryKey, work.touch), outcomes: [{ ok: true }] }
    }
  }

  private documents(operations: Extract<IndexWork, { kind: 'documents' }>['operations']) {
    const context = this.context()
    this.hooks.progress(APPLYING, 0, operations.length)
    const { outcomes, primaryKey } = applyDocuments(context, operations)
    // Nothing was told to anybody then, and the names that were met go with what failed.
    if (outcomes.every(({ ok }) => !ok)) return { meta: this.meta, outcomes }
    this.hooks.progress(WRITING, 0, 1)
    const isProcessed = operations.some((operation, i) => operation.kind === 'import' && outcomes[i]!.ok)
    const meta = { ...context.writer.finish(), primaryKey }
    const isChanged = isProcessed || meta.documentCount !== this.meta.documentCount
    return { meta: isChanged ? this.touched(meta) : meta, outcomes }
  }

  private deletions(operations: Extract<IndexWork, { kind: 'deletions' }>['operations']) {
    const context = this.context()
    this.hooks.progress(APPLYING, 0, operations.length)
    const outcomes = applyDeletions(context, operations)
    this.hooks.progress(WRITING, 0, 1)
    const meta = context.writer.finish()
    return { meta: meta.documentCount < this.meta.documentCount ? this.touched(meta) : meta, outcomes }
  }

  private dropForeign() {
    const context = this.context()
    const { shards } = this.job
    const stored = new StoredShards(this.folder.databases.shards).of(shards?.version)
    const foreign = shards === undefined ? Bitmap.empty() : foreignDocuments((name) => stored.docIds(name), shards)
    const deleted = removeSelected(context, foreign, (finished) => this.step(DROPPING, finished, foreign.size))
    const meta = context.writer.finish()
    return { meta: deleted > 0 ? this.touched(meta) : meta, outcomes: [{ ok: true as const, deleted }] }
  }

  private clear(patches: readonly string[]) {
    const { databases } = this.folder
    this.tally?.addStored(this.folder.docIds())
    databases.documents.clear()
    databases.externalIds.clear()
    databases.docIds.clear()
    databases.facets.clear()
    clearWords(this.folder)
    databases.columns.clear()
    clearShapes(this.folder)
    clearVectors(this.folder)
    this.shards?.clear()
    const empty = { ...this.meta, documentCount: 0, documentBytes: 0, fieldCounts: [] }
    const meta = patches.length === 0 ? this.touched(empty) : this.settings(empty, patches)
    return { meta, outcomes: [{ ok: true as const, deleted: this.meta.documentCount, ...byShard(this) }] }
  }

  /** Settings are folded in task order and applied once. */
  private settings(meta: IndexMeta, patches: readonly string[]): IndexMeta {
    this.hooks.progress('applying settings', 0, patches.length)
    const before = readSettings(this.folder)
    const applied = applyPatches(before, patches.map(storedPatchOf), analyzedForms)
    if (!applied.ok) throw new FailureError(applied.failure)
    this.folder.putSettingsBytes(encodeSettings(applied.value))
    if (meta.documentCount > 0) this.rebuild(before, applied.value)
    return this.touched(this.rebuildVectors(meta, before, applied.value))
  }

  /** Embedders are looked at even without documents: their models must answer. */
  private rebuildVectors(meta: IndexMeta, before: Settings, after: Settings): IndexMeta {
    const changes = changedParts(before, after).embedders
    if (changes.size === 0) return meta
    const writer = new DocumentWriter({ folder: this.folder, meta, registry: this.folder.fields(), sinks: [] })
    const { primaryKey } = meta
    rebuildVectors({ ...this.vectorWork(writer.registry), writer, primaryKey, before, after, changes })
    return writer.finish()
  }

  private vectorWork(registry: FieldRegistry): VectorWork {
    const { folder, job, services, hooks } = this
    const isCancelled = () => hooks.isCancelled()
    const { embedders, keptCentres } = services
    return { folder, registry, indexUid: job.indexUid, embedders, isCancelled, keptCentres }
  }

  /** Tells every document anew, with what the settings made of it before and now: only differences are written. */
  private rebuild(before: Settings, after: Settings): void {
    const registry = this.folder.fields()
    if (changedParts(before, after).geoJson === 'disabled') clearShapes(this.folder)
    const sinks = this.rebuildSinks(registry, before, after)
    if (sinks.length === 0) return
    for (const sink of sinks) sink.foresee?.({ bytes: this.meta.documentBytes })
    for (const docId of this.folder.docIds()) {
      if (this.hooks.isCancelled()) throw new JobCancelled()
      const document = this.folder.document(docId as DocId)!
      for (const sink of sinks) sink.change(docId as DocId, document, document)
    }
    finishSinks(sinks)
    if (registry.hasGrown) this.folder.putFields(registry)
  }

  /** Those that have to be told, given what the change makes stale. */
  private rebuildSinks(registry: FieldRegistry, before: Settings, after: Settings): ChangeSink[] {
    const parts = changedParts(before, after)
    const roles = { before: compileFieldRoles(before), after: compileFieldRoles(after) }
    const sinks: ChangeSink[] = []
    if (parts.facets || parts.geo !== undefined) {
      const old = factRules(registry, roles.before, before)
      const now = factRules(registry, roles.after, after)
      if (isGeoEnabled(after)) sinks.push(new GeoCheck(registry, this.job.indexUid, this.meta.primaryKey))
      sinks.push(new ValueSink(this.folder, old, now))
    }
    if (parts.geoJson === 'enabled') sinks.unshift(new ShapeSink(this.folder, this.shapeField(registry)))
    else if (!roles.before.of('_geojson').isFilterable && roles.after.of('_geojson').isFilterable)
      sinks.unshift(new ShapeCheck(this.shapeField(registry)))
    if (parts.analysis || parts.searchableMembers || parts.locales) {
      const old = new WordRules(registry, roles.before, documentAnalyzer(before))
      const now = new WordRules(registry, roles.after, documentAnalyzer(after))
      sinks.push(new WordSink(this.folder, { before: old, after: now }, this.wordOptions(before, after)))
    }
    return sinks
  }

  private wordSink(registry: FieldRegistry, roles: FieldRoles, settings: Settings): WordSink {
    const rules = new WordRules(registry, roles, documentAnalyzer(settings))
    return new WordSink(this.folder, { before: rules, after: rules }, this.wordOptions(settings, settings))
  }

  private wordOptions(before: Settings, after: Settings): WordSinkOptions {
    const { thread, minBatchBytes, maxBytes: ownBytes } = this.services.words ?? {}
    const maxBytes = this.job.wordBytes ?? ownBytes
    const isCancelled = () => this.hooks.isCancelled()
    const helper = thread === undefined ? undefined : { thread, minBatchBytes, settings: { before, after } }
    return { maxBytes, isCancelled, helper }
  }

  private shapeField(registry: FieldRegistry): ShapeField {
    return new ShapeField(registry, this.job.indexUid, this.meta.primaryKey)
  }

  private edit(work: Extract<IndexWork, { kind: 'edit' }>) {
    const context = this.context()
    const selected = work.filter === null ? context.writer.taken.clone() : context.selectByFilter(work.filter)
    this.tally?.addStored(selected)
    editDocuments(context, selected, work)
    const count = selected.size
    const meta = context.writer.finish()
    return {
      meta: count > 0 ? this.touched(meta) : meta,
      outcomes: [{ ok: true as const, edited: count, deleted: count, ...byShard(this) }],
    }
  }

  private primaryKey(primaryKey: string | null, touch: boolean): IndexMeta {
    if (primaryKey === null) return touch ? this.touched(this.meta) : this.meta
    if (primaryKey === this.meta.primaryKey) return this.touched(this.meta)
    if (this.meta.documentCount > 0 && this.meta.primaryKey !== null) {
      throw new FailureError(failure('index_primary_key_already_exists', this.job.indexUid, this.meta.primaryKey))
    }
    const registry = this.folder.fields()
    registry.register(primaryKey)
    this.folder.putFields(registry)
    return this.touched({ ...this.meta, primaryKey })
  }

  private writer(): DocumentWriter {
    const settings = readSettings(this.folder)
    const registry = this.folder.fields()
    const roles = compileFieldRoles(settings)
    const rules = factRules(registry, roles, settings)
    // Names first: the word thread is told their numbers before it meets them.
    const sinks: ChangeSink[] = [new NameSink(registry)]
    if (keepsValues(settings)) sinks.push(new ValueSink(this.folder, rules, rules))
    if (isSearched(settings)) sinks.push(this.wordSink(registry, roles, settings))
    if (rules.isGeoEnabled) sinks.unshift(new GeoCheck(registry, this.job.indexUid, this.meta.primaryKey))
    if (isGeoJsonEnabled(settings)) sinks.unshift(new ShapeSink(this.folder, this.shapeField(registry)))
    const vectors = new VectorSink(this.vectorWork(registry), settings)
    sinks.push(vectors)
    const { folder, meta, shards } = this
    return new DocumentWriter({ folder, meta, registry, sinks, intake: vectors, ...(shards && { shards }) })
  }

  private touched(meta: IndexMeta): IndexMeta {
    return { ...meta, updatedAt: this.job.now }
  }

  private context(): ApplyContext {
    return {
      writer: this.writer(),
      indexUid: this.job.indexUid,
      primaryKey: this.meta.primaryKey,
      hooks: this.hooks,
      keeps: (documentId) => this.shards?.keeps(documentId) ?? true,
      tally: this.tally,
      beginTask: (number) => this.shards?.beginTask(number),
      arrivedAs: (docId, arrival) => this.shards?.arrivedAs(docId, arrival),
      selectByFilter: (filter) => this.services.selectByFilter(this.folder, { indexUid: this.job.indexUid, filter }),
    }
  }
}

/** Read when something is counted that was there before the batch: most tasks count what they bring. */
function tallyOf(folder: IndexFolder, shards: ShardWriter): ShardTally {
  const stored = new StoredShards(folder.databases.shards).of()
  return new ShardTally({
    owned: shards.owned,
    of: (documentId) => shards.shardOf(documentId),
    docIds: (name) => stored.docIds(name),
  })
}

/** A patch as tasks store it: it was checked when it was received. */
function storedPatchOf(text: string): SettingsPatch {
  const parsed = parse(text, 1024)
  const patch = parsed.ok ? readPatch(parsed.value) : undefined
  if (!patch?.ok) throw new Error('the settings of a task cannot be read')
  return patch.value
}
