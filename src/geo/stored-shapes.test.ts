import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { DocId, StoredDocument } from '../documents/index.js'
import { FieldRegistry } from '../documents/index.js'
import type { IndexFolder } from '../folder/index.js'
import { temporaryIndex } from '../folder/temporary-index.fixture.js'
import { GeoRegion } from './geo-region.js'
import type { Shape } from './shape.js'
import { ShapeArcs } from './shape-arcs.js'
import { ShapeField } from './shape-field.js'
import { clearShapes, ShapeSink } from './shape-sink.js'
import { arrival, shapes, stars } from './shapes.fixture.js'
import { shapesTouching } from './stored-shapes.js'

const registry = new FieldRegistry(['id', '_geojson'])
const sinkOf = (folder: IndexFolder) => new ShapeSink(folder, new ShapeField(registry, 'map', 'id'))

/** As GeoJSON, the way a document holds it. */
function documentOf({ points, lines, polygons }: Shape): StoredDocument {
  const pairs = (path: readonly number[]) =>
    Array.from({ length: path.length / 2 }, (_, i) => [path[2 * i], path[2 * i + 1]])
  const geometries = [
    { type: 'MultiPoint', coordinates: pairs(points) },
    { type: 'MultiLineString', coordinates: lines.map(pairs) },
    { type: 'MultiPolygon', coordinates: polygons.map((rings) => rings.map(pairs)) },
  ]
  const value = Buffer.from(JSON.stringify({ type: 'GeometryCollection', geometries }))
  return [{ fieldId: registry.idOf('_geojson')!, value }]
}

const withoutShape: StoredDocument = [{ fieldId: registry.idOf('id')!, value: Buffer.from('1') }]

type Command = { readonly docId: number; readonly shape: Shape | 'none' | 'gone' }

const command: fc.Arbitrary<Command> = fc.record({
  // Neighbours, and others in another part of the sets.
  docId: fc.oneof(fc.nat(9), fc.integer({ min: 65_530, max: 65_540 })),
  shape: fc.oneof({ weight: 4, arbitrary: shapes }, fc.constantFrom('none' as const, 'gone' as const)),
})

/** What documents were before, as sinks are told. */
class Documents {
  readonly documents = new Map<number, StoredDocument>()
  readonly shapes = new Map<number, Shape>()

  constructor(private readonly folder: IndexFolder) {}

  run(commands: readonly Command[]): void {
    this.folder.write(() => {
      const sink = sinkOf(this.folder)
      for (const { docId, shape } of commands) {
        const after = shape === 'gone' ? undefined : shape === 'none' ? withoutShape : documentOf(shape)
        sink.change(docId as DocId, this.documents.get(docId), after)
        if (after === undefined) this.documents.delete(docId)
        else this.documents.set(docId, after)
        if (typeof shape === 'string') this.shapes.delete(docId)
        else this.shapes.set(docId, shape)
      }
      sink.finish()
    })
  }

  touching(region: GeoRegion): number[] {
    const found = [...this.shapes].filter(([, shape]) => region.touches(new ShapeArcs(shape)))
    return found.map(([docId]) => docId).sort((a, b) => a - b)
  }
}

describe('stored shapes', () => {
  test('are found as if each were looked at, whatever came and went', () => {
    const folder = temporaryIndex()
    fc.assert(
      fc.property(
        fc.array(fc.array(command, { maxLength: 8 }), { maxLength: 4 }),
        fc.array(stars, { minLength: 4, maxLength: 8 }),
        (batches, regions) => {
          const documents = new Documents(folder)
          for (const batch of batches) documents.run(batch)
          for (const { corners } of regions) {
            const region = GeoRegion.polygon(corners)
            expect([...shapesTouching(folder.databases, region)]).toEqual(documents.touching(region))
          }
          folder.write(() => clearShapes(folder))
        },
      ),
      { numRuns: 15 },
    )
  })

  test('leave nothing behind when they go', () => {
    const folder = temporaryIndex()
    fc.assert(
      fc.property(fc.array(command, { maxLength: 8 }), (commands) => {
        const documents = new Documents(folder)
        documents.run(commands)
        documents.run([...documents.documents.keys()].map((docId) => ({ docId, shape: 'gone' })))
        expect([folder.databases.shapes.count(), folder.databases.shapeCells.count()]).toEqual([0, 0])
      }),
      { numRuns: 15 },
    )
  })

  test('of a thousand places are found by parts of cells, and alike', () => {
    const folder = temporaryIndex()
    const documents = new Documents(folder)
    const center = { lat: 0.5, lng: -0.3 }
    // More than one part of the sets, and one place that many share.
    const places = Array.from({ length: 1000 }, (_, i) =>
      i % 5 === 0 ? center : arrival(center, 2 * Math.sqrt(i / 1000), i * 137.5),
    )
    documents.run(
      places.map(({ lng, lat }, docId) => ({ docId, shape: { points: [lng, lat], lines: [], polygons: [] } })),
    )
    for (const reach of [0.01, 0.3, 1, 1.9, 5]) {
      const region = GeoRegion.polygon(Array.from({ length: 50 }, (_, i) => arrival(center, reach, i * 7.2)))
      const found = [...shapesTouching(folder.databases, region)]
      expect(found).toEqual(documents.touching(region))
      expect(found.length).toBeGreaterThan(0)
    }
  })

  test('that stay the same are not written again', () => {
    const folder = temporaryIndex()
    const documents = new Documents(folder)
    const shape = { points: [1, 2], lines: [], polygons: [] }
    documents.run([{ docId: 1, shape }])
    folder.write(() => folder.databases.shapeCells.clear())
    documents.run([{ docId: 1, shape }])
    expect(folder.databases.shapeCells.count()).toBe(0)
  })
})
