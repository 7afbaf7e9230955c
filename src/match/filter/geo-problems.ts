import { wrapLongitude } from '../../geo/index.js'
import { isPlainRule } from './filterable-rules.js'
import type { GeoBox, GeoCondition, GeoPoint } from './model.js'
import type { FilterTarget } from './target.js'

const MIN_RESOLUTION = 3
const MAX_RESOLUTION = 1000

/** What is wrong with a geo filter on this index, or undefined (spec 6 §6.6). */
export function geoProblem(condition: GeoCondition, target: FilterTarget): string | undefined {
  switch (condition.kind) {
    case 'geoRadius':
      return (
        pointProblem(condition.center) ?? resolutionProblem(condition.resolution) ?? unfilterable('_geoRadius', target)
      )
    case 'geoBoundingBox':
      return boxProblem(condition.box) ?? unfilterable('_geoBoundingBox', target)
    case 'geoPolygon':
      return unfilterablePolygon(target) ?? firstProblem(condition.points)
  }
}

function firstProblem(points: readonly GeoPoint[]): string | undefined {
  for (const point of points) {
    const problem = pointProblem(point)
    if (problem !== undefined) return problem
  }
  return undefined
}

function pointProblem({ lat, lng }: GeoPoint): string | undefined {
  if (lat < -90 || lat > 90) return `the latitude ${lat} is outside of -90 to 90`
  if (lng >= -180 && lng <= 180) return undefined
  return `the longitude ${lng} is outside of -180 to 180; did you mean ${wrapLongitude(lng)}?`
}

function resolutionProblem(resolution: number): string | undefined {
  if (resolution >= MIN_RESOLUTION && resolution <= MAX_RESOLUTION) return undefined
  return `the resolution ${resolution} is outside of ${MIN_RESOLUTION} to ${MAX_RESOLUTION}`
}

function boxProblem({ topRight, bottomLeft }: GeoBox): string | undefined {
  const problem = firstProblem([topRight, bottomLeft])
  if (problem !== undefined || topRight.lat >= bottomLeft.lat) return problem
  return `the top latitude ${topRight.lat} is below the bottom latitude ${bottomLeft.lat}`
}

function unfilterable(name: string, { settings }: FilterTarget): string | undefined {
  const rules = settings.filterableAttributes
  if (isPlainRule(rules, '_geo') || isPlainRule(rules, '_geojson')) return undefined
  return `\`${name}\` needs \`_geo/_geojson\` in \`filterableAttributes\`, by its plain name`
}

function unfilterablePolygon({ settings }: FilterTarget): string | undefined {
  if (isPlainRule(settings.filterableAttributes, '_geojson')) return undefined
  return '`_geoPolygon` needs `_geojson` in `filterableAttributes`, by its plain name'
}
