import { describe, expect, test } from 'vitest'
import { parse } from '../json/index.js'
import { readGeoJson } from './geo-json.js'

function read(text: string) {
  const parsed = parse(text)
  if (!parsed.ok) throw new Error(parsed.reason)
  return readGeoJson(parsed.value)
}

const geometry = (type: string, coordinates: unknown): string => JSON.stringify({ type, coordinates })
const point = geometry('Point', [1, 2])
const empty = { points: [], lines: [], polygons: [] }

describe('GeoJSON draws', () => {
  test.each([
    [point, { ...empty, points: [1, 2] }],
    [geometry('Point', [1.5, -2, 300, 4]), { ...empty, points: [1.5, -2] }],
    [
      geometry('MultiPoint', [
        [1, 2],
        [3, 4],
      ]),
      { ...empty, points: [1, 2, 3, 4] },
    ],
    [geometry('MultiPoint', []), empty],
    [
      geometry('LineString', [
        [1, 2],
        [3, 4],
      ]),
      { ...empty, lines: [[1, 2, 3, 4]] },
    ],
    [
      geometry('MultiLineString', [[[1, 2]], [[3, 4]]]),
      {
        ...empty,
        lines: [
          [1, 2],
          [3, 4],
        ],
      },
    ],
    [
      geometry('Polygon', [
        [
          [0, 0],
          [1, 0],
          [0, 1],
        ],
        [],
      ]),
      { ...empty, polygons: [[[0, 0, 1, 0, 0, 1], []]] },
    ],
    [geometry('MultiPolygon', [[[[0, 0]]], [[[1, 1]]]]), { ...empty, polygons: [[[0, 0]], [[1, 1]]] }],
    [
      `{"type":"GeometryCollection","geometries":[${point},${geometry('LineString', [[5, 6]])}]}`,
      { ...empty, points: [1, 2], lines: [[5, 6]] },
    ],
    [`{"type":"Feature","geometry":${point},"properties":null,"id":7,"bbox":[1,2.5]}`, { ...empty, points: [1, 2] }],
    [`{"type":"Feature","geometry":${point},"more":[{}]}`, { ...empty, points: [1, 2] }],
    [
      `{"type":"FeatureCollection","features":[{"type":"Feature","geometry":${point},"properties":{}},{"type":"Feature","geometry":null}]}`,
      { ...empty, points: [1, 2] },
    ],
    [`{"type":"FeatureCollection","features":[]}`, empty],
  ])('%s', (text, value) => {
    expect(read(text)).toEqual({ ok: true, value })
  })

  test('positions on the map, wherever they are said to be', () => {
    expect(
      read(
        geometry('MultiPoint', [
          [190, 95],
          [-540, -90.5],
          [180, 90],
        ]),
      ),
    ).toEqual({
      ok: true,
      value: { ...empty, points: [-170, 90, -180, -90, 180, 90] },
    })
  })
})

describe('what is no GeoJSON is refused', () => {
  test.each([
    ['null', ['null']],
    ['"text"', ['"text"']],
    ['[]', ['[]']],
    ['{}', ['type', 'nothing']],
    ['{"type":"Circle"}', ['type', '"Circle"']],
    ['{"type":"Point"}', ['coordinates', 'nothing']],
    [geometry('Point', [1]), ['coordinates', '[1]']],
    [geometry('Point', [1, '2']), ['coordinates', '[1,"2"]']],
    [geometry('Point', [1, 2, null]), ['coordinates']],
    [geometry('LineString', [1, 2]), ['coordinates[0]']],
    [
      geometry('Polygon', [
        [1, 2],
        [3, 4],
      ]),
      ['coordinates[0][0]'],
    ],
    [geometry('MultiPolygon', [[[[0, 0]]], [[['x']]]]), ['coordinates[1][0][0]']],
    ['{"type":"GeometryCollection"}', ['geometries']],
    [`{"type":"GeometryCollection","geometries":[${point},{"type":"Point"}]}`, ['geometries[1].coordinates']],
    ['{"type":"Feature"}', ['geometry', 'nothing']],
    ['{"type":"Feature","geometry":null}', ['geometry', 'null']],
    [`{"type":"Feature","geometry":{"type":"Feature","geometry":${point}}}`, ['geometry.type']],
    [`{"type":"Feature","geometry":${point},"properties":[]}`, ['properties']],
    [`{"type":"Feature","geometry":${point},"id":true}`, ['id', 'true']],
    [`{"type":"Feature","geometry":${point},"bbox":["1"]}`, ['bbox']],
    [`{"type":"Point","coordinates":[1,2],"bbox":null}`, ['bbox']],
    ['{"type":"FeatureCollection"}', ['features']],
    [`{"type":"FeatureCollection","features":[${point}]}`, ['features[0]', 'Feature']],
    [
      `{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Circle"}}]}`,
      ['features[0].geometry.type'],
    ],
  ])('%s', (text, parts) => {
    const shape = read(text)
    const reason = shape.ok ? '' : shape.reason
    for (const part of parts) expect(reason).toContain(part)
  })

  test('with a short message, however long it is', () => {
    const long = read(geometry('LineString', 'x'.repeat(10_000)))
    expect(long.ok ? Number.NaN : long.reason.length).toBeLessThan(150)
  })
})
