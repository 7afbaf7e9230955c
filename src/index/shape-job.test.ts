import { beforeEach, describe, expect, test } from 'vitest'
import { Bitmap } from '../bitmap/index.js'
import { type Failure, FailureError } from '../errors/index.js'
import type { IndexFolder } from '../folder/index.js'
import { temporaryIndex } from '../folder/temporary-index.fixture.js'
import { receivePayload } from '../payload/index.js'
import type { IndexWork } from './apply/job.js'
import { runIndexJob } from './apply/run-job.js'
import { IndexFacets } from './facets/index-facets.js'

let folder: IndexFolder
let batches = 0

beforeEach(() => {
  folder = temporaryIndex()
})

/** The failure of the batch, if it fails. */
function run(work: IndexWork): Failure | undefined {
  const job = {
    path: '',
    indexUid: 'map',
    now: '2026-01-05T10:00:00Z',
    batchKey: `b${batches++}`,
    create: { primaryKey: 'id' },
    work,
  }
  try {
    runIndexJob(folder, job, { selectByFilter: () => Bitmap.empty() }, { progress() {}, isCancelled: () => false })
    return undefined
  } catch (error) {
    if (error instanceof FailureError) return error.failure
    throw error
  }
}

async function add(documents: unknown, method: 'replace' | 'update' = 'replace'): Promise<Failure | undefined> {
  const parts: Buffer[] = []
  await receivePayload({ name: 'json' }, [Buffer.from(JSON.stringify(documents))], {
    async write(bytes) {
      parts.push(Buffer.from(bytes))
    },
  })
  const payload = { bytes: Buffer.concat(parts) }
  const operation = { kind: 'import', method, payload, primaryKey: null, skipCreation: false } as const
  return run({ kind: 'documents', operations: [operation] })
}

const settings = (patch: unknown) => run({ kind: 'settings', patches: [JSON.stringify(patch)] })
const filterable = (...rules: unknown[]) => settings({ filterableAttributes: rules })
const point = (lng: number, lat: number) => ({ type: 'Point', coordinates: [lng, lat] })

/** The documents in a box of two by two degrees. */
function near(lng: number, lat: number): number[] {
  const box = { topRight: { lat: lat + 1, lng: lng + 1 }, bottomLeft: { lat: lat - 1, lng: lng - 1 } }
  return [...new IndexFacets(folder).shapesTouchingBox(box)]
}

describe('shapes of documents', () => {
  test('are found as documents come, change and go', async () => {
    filterable('_geojson')
    expect(await add([{ id: 0, _geojson: point(1, 1) }, { id: 1 }, { id: 2, _geojson: point(50, 50) }])).toBeUndefined()
    expect([near(1, 1), near(50, 50)]).toEqual([[0], [2]])
    await add([{ id: 0, _geojson: point(50, 50) }], 'update')
    expect([near(1, 1), near(50, 50)]).toEqual([[], [0, 2]])
    await add([{ id: 0, name: 'a' }], 'update')
    expect(near(50, 50)).toEqual([0, 2])
    await add([{ id: 2 }])
    expect(near(50, 50)).toEqual([0])
    run({ kind: 'deletions', operations: [{ kind: 'deleteIds', ids: ['0'] }] })
    expect(near(50, 50)).toEqual([])
  })

  test('are found once they are filterable, and no longer when they are not', async () => {
    await add([{ id: 0, _geojson: point(1, 1) }])
    expect(near(1, 1)).toEqual([])
    expect(filterable('_geojson')).toBeUndefined()
    expect(near(1, 1)).toEqual([0])
    filterable('name', '_geojson')
    expect(near(1, 1)).toEqual([0])
    filterable('name')
    expect(folder.databases.shapes.count()).toBe(0)
    filterable('_geojson')
    expect(near(1, 1)).toEqual([0])
  })

  test('go with all documents', async () => {
    filterable('_geojson')
    await add([{ id: 0, _geojson: point(1, 1) }])
    run({ kind: 'clear', patches: [] })
    expect(near(1, 1)).toEqual([])
    await add([{ id: 1 }])
    expect(near(1, 1)).toEqual([])
  })
})

describe('what is no shape', () => {
  test.each([null, { type: 'Circle' }, 'here', { lat: 1, lng: 2 }])('fails the whole batch: %j', async (_geojson) => {
    filterable('_geojson')
    await add([{ id: 'old', _geojson: point(1, 1) }])
    const failure = await add([
      { id: 'fine', _geojson: point(1, 1) },
      { id: 'wrong', _geojson },
    ])
    expect(failure).toMatchObject({ code: 'invalid_document_geo_field' })
    expect(failure!.message).toContain('"wrong"')
    expect(failure!.message).toContain('_geojson')
    expect([near(1, 1), folder.docIds().size]).toEqual([[0], 1])
  })

  test('is stored as it is while nobody filters by it, and fails the settings that would', async () => {
    expect(await add([{ id: 0, _geojson: null }])).toBeUndefined()
    expect(filterable('name')).toBeUndefined()
    expect(filterable('_geojson')).toMatchObject({ code: 'invalid_document_geo_field' })
    expect(filterable({ attributePatterns: ['_geo*'] })).toMatchObject({ code: 'invalid_document_geo_field' })
    expect(settings({ sortableAttributes: ['name'] })).toBeUndefined()
  })

  test('may come when only a pattern matches', async () => {
    expect(filterable({ attributePatterns: ['_geo*'] })).toBeUndefined()
    expect(await add([{ id: 0, _geojson: null }])).toBeUndefined()
    expect(settings({ sortableAttributes: ['name'] })).toBeUndefined()
  })
})
