import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { payloadOf, TestIndex } from '../test-index.fixture.js'
import { parseFilter } from './parse-filter.js'
import { selectDocuments } from './select-documents.js'

let index: TestIndex

beforeEach(() => {
  index = new TestIndex()
})
afterEach(() => index.delete())

async function fill(filterableAttributes: string[], documents: object[]): Promise<void> {
  index.run({ kind: 'settings', patches: [JSON.stringify({ filterableAttributes })] })
  const payload = await payloadOf(documents.map((document, id) => ({ id, ...document })))
  const operation = { kind: 'import', method: 'replace', payload, primaryKey: null, skipCreation: false } as const
  index.run({ kind: 'documents', operations: [operation] })
}

/** The ids, or the code of the failure. */
function select(filter: string): number[] | string {
  const code = 'invalid_document_filter'
  const parsed = parseFilter(filter, { code, reading: 'once' })
  if (!parsed.ok) return parsed.failure.code
  const selected = selectDocuments(index, parsed.value!)
  return selected.ok ? [...selected.value] : selected.failure.code
}

const shape = (lng: number, lat: number) => ({ _geojson: { type: 'Point', coordinates: [lng, lat] } })
const place = (lng: number, lat: number) => ({ _geo: { lat, lng } })
const square = (west: number, south: number, east: number, north: number) => ({
  _geojson: {
    type: 'Polygon',
    coordinates: [
      [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
        [west, south],
      ],
    ],
  },
})

describe('with places and shapes filterable', () => {
  beforeEach(() =>
    fill(
      ['_geo', '_geojson'],
      [
        place(1, 1),
        shape(1, 1),
        { ...place(1, 1), ...shape(50, 50) },
        square(-5, -5, 5, 5),
        square(175, -5, -175, 5),
        { name: 'nowhere' },
      ],
    ),
  )

  test('circles and boxes find both', () => {
    expect(select('_geoRadius(1, 1, 1000)')).toEqual([0, 1, 2, 3])
    expect(select('_geoRadius(50, 50, 1000)')).toEqual([2])
    expect(select('_geoBoundingBox([2, 2], [0.5, 0.5])')).toEqual([0, 1, 2, 3])
    expect(select('_geoBoundingBox([-2, 2], [-3, 0.5])')).toEqual([3])
  })

  test('polygons find shapes alone', () => {
    expect(select('_geoPolygon([0,0],[0,2],[2,2],[2,0])')).toEqual([1, 3])
    expect(select('_geoPolygon([0,0],[0,2],[2,2],[2,0],)')).toEqual([1, 3])
    expect(select('NOT _geoPolygon([0,0],[0,2],[2,2],[2,0])')).toEqual([0, 2, 4, 5])
    expect(select('_geoPolygon([0,0],[0,2])')).toBe('invalid_document_filter')
  })

  test('boxes and circles reach across the 180th meridian', () => {
    expect(select('_geoBoundingBox([10, -170], [-10, 170])')).toEqual([4])
    expect(select('_geoRadius(0, 174, 200000)')).toEqual([4])
    expect(select('_geoRadius(0, 174, 20000)')).toEqual([])
  })

  test('circles reach around the earth', () => {
    expect(select('_geoRadius(0, 0, 19000000)')).toEqual([0, 1, 2, 3])
    expect(select('_geoRadius(0, 0, 20016000)')).toEqual([0, 1, 2, 3, 4])
    expect(select('_geoRadius(1, 1, 0)')).toEqual([0, 1, 2, 3])
    expect(select('_geoRadius(-80, 7, 16000000, 3.9)')).toEqual([0, 1, 2, 3, 4])
  })

  test('a shape has no values', () => {
    for (const filter of ['_geojson EXISTS', '_geojson IS NULL', '_geojson.type = Point'])
      expect(select(filter)).toEqual([])
  })
})

test('without places filterable, circles and boxes find shapes alone', async () => {
  await fill(['_geojson'], [place(1, 1), shape(1, 1)])
  expect(select('_geoRadius(1, 1, 1000)')).toEqual([1])
  expect(select('_geoBoundingBox([2, 2], [0, 0])')).toEqual([1])
})

test('without shapes filterable, polygons are refused', async () => {
  await fill(['_geo'], [place(1, 1), shape(1, 1)])
  expect(select('_geoBoundingBox([2, 2], [0, 0])')).toEqual([0])
  expect(select('_geoPolygon([0,0],[0,2],[2,2],[2,0])')).toBe('invalid_document_filter')
})
