import type { GeoCondition, GeoPoint } from './model.js'
import { type Scanner, SyntaxProblem } from './scanner.js'

const CALL = /_geo(Radius|BoundingBox|Polygon)\(/y
const NUMBER = /[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y
const DEFAULT_RESOLUTION = 125
const MIN_POLYGON_POINTS = 3

const FORMS = {
  Radius: '_geoRadius(lat, lng, metres) or _geoRadius(lat, lng, metres, resolution)',
  BoundingBox: '_geoBoundingBox([lat, lng], [lat, lng])',
  Polygon: '_geoPolygon([lat, lng], [lat, lng], [lat, lng], …)',
} as const

/** A geo function if one stands here, its name directly followed by a parenthesis (spec 6 §6.6). */
export function parseGeo(scanner: Scanner): GeoCondition | undefined {
  const start = scanner.at
  const name = scanner.match(CALL)?.[1] as keyof typeof FORMS | undefined
  if (name === undefined) return undefined
  const call = new GeoCall(scanner, FORMS[name], start)
  if (name === 'Radius') return call.radius()
  return name === 'BoundingBox' ? call.boundingBox() : call.polygon()
}

/** Reads the arguments of one call, up to and including the closing parenthesis. */
class GeoCall {
  constructor(
    private readonly scanner: Scanner,
    private readonly form: string,
    private readonly start: number,
  ) {}

  radius(): GeoCondition {
    const [lat, lng, meters, resolution, ...rest] = this.numbers(')')
    if (lat === undefined || lng === undefined || meters === undefined || rest.length > 0) {
      const count = [lat, lng, meters, resolution].filter((number) => number !== undefined).length + rest.length
      throw this.problem(`3 or 4 arguments were expected, ${count} were found: ${this.form}`)
    }
    return {
      kind: 'geoRadius',
      center: { lat, lng },
      meters,
      resolution: Math.trunc(resolution ?? DEFAULT_RESOLUTION),
    }
  }

  boundingBox(): GeoCondition {
    const topRight = this.point()
    if (!this.takeSign(',')) throw this.malformed()
    const bottomLeft = this.point()
    if (!this.takeSign(')')) throw this.malformed()
    return { kind: 'geoBoundingBox', box: { topRight, bottomLeft } }
  }

  polygon(): GeoCondition {
    const points = [this.point()]
    while (!this.takeSign(')')) {
      if (!this.takeSign(',')) throw this.malformed()
      if (this.takeSign(')')) break
      points.push(this.point())
    }
    if (points.length < MIN_POLYGON_POINTS) {
      throw this.problem(
        `at least ${MIN_POLYGON_POINTS} points were expected, ${points.length} were found: ${this.form}`,
      )
    }
    return { kind: 'geoPolygon', points }
  }

  private point(): GeoPoint {
    if (!this.takeSign('[')) throw this.malformed()
    const coordinates = this.numbers(']')
    const [lat, lng] = coordinates
    if (lat === undefined || lng === undefined || coordinates.length !== 2) {
      throw this.problem(`a pair of coordinates was expected, ${coordinates.length} were found: ${this.form}`)
    }
    return { lat, lng }
  }

  private numbers(close: string): number[] {
    const numbers = [this.number()]
    while (!this.takeSign(close)) {
      if (!this.takeSign(',')) throw this.malformed()
      numbers.push(this.number())
    }
    return numbers
  }

  private number(): number {
    this.scanner.skipBlanks()
    const value = Number(this.scanner.match(NUMBER)?.[0] ?? Number.NaN)
    if (!Number.isFinite(value)) throw this.malformed()
    return value
  }

  private takeSign(sign: string): boolean {
    this.scanner.skipBlanks()
    return this.scanner.take(sign)
  }

  private malformed(): SyntaxProblem {
    return this.scanner.problemHere(`the form ${this.form} was expected`)
  }

  private problem(expected: string): SyntaxProblem {
    return new SyntaxProblem(expected, this.start, this.scanner.at)
  }
}
