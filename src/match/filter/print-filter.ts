import type { Filter, GeoPoint, VectorSelection } from './model.js'
import type { Reading } from './scanner.js'

/** An expression that reads back as this filter, for a server that reads it once or twice (spec 8 §3.7). */
export function printFilter(filter: Filter, reading: Reading): string {
  return new Printer(reading).print(filter)
}

class Printer {
  constructor(private readonly reading: Reading) {}

  print(filter: Filter): string {
    switch (filter.kind) {
      case 'and':
      case 'or':
        return filter.operands
          .map((operand) => this.printInside(operand))
          .join(filter.kind === 'and' ? ' AND ' : ' OR ')
      case 'not':
        return `NOT ${this.printInside(filter.operand)}`
      case 'geoRadius': {
        const { center, meters, resolution } = filter
        return `_geoRadius(${center.lat}, ${center.lng}, ${meters}, ${resolution})`
      }
      case 'geoBoundingBox':
        return `_geoBoundingBox(${printPoints([filter.box.topRight, filter.box.bottomLeft])})`
      case 'geoPolygon':
        return `_geoPolygon(${printPoints(filter.points)})`
      case 'vectors':
        return `_vectors${this.printVectorPath(filter.vectors)} EXISTS`
      case 'foreign':
        return `_foreign(${this.quoted(filter.field.name)}, ${this.print(filter.filter)})`
      default:
        return `${this.quoted(filter.attribute.name)} ${this.printTest(filter)}`
    }
  }

  private printInside(filter: Filter): string {
    return filter.kind === 'and' || filter.kind === 'or' ? `(${this.print(filter)})` : this.print(filter)
  }

  private printTest(condition: Extract<Filter, { attribute: unknown }>): string {
    switch (condition.kind) {
      case 'compare':
        return `${condition.operator} ${this.quoted(condition.value)}`
      case 'between':
        return `${this.quoted(condition.from)} TO ${this.quoted(condition.to)}`
      case 'in':
        return `IN [${condition.values.map((value) => this.quoted(value)).join(', ')}]`
      case 'exists':
        return 'EXISTS'
      case 'null':
        return 'IS NULL'
      case 'empty':
        return 'IS EMPTY'
      case 'contains':
        return `CONTAINS ${this.quoted(condition.value)}`
      case 'startsWith':
        return `STARTS WITH ${this.quoted(condition.value)}`
    }
  }

  private printVectorPath(vectors: VectorSelection): string {
    if (vectors.embedder === undefined) return ''
    const embedder = `.${this.quoted(vectors.embedder)}`
    if (vectors.part === 'any') return embedder
    if (vectors.part === 'fragment') return `${embedder}.fragments.${this.quoted(vectors.fragment)}`
    return `${embedder}.${vectors.part}`
  }

  private quoted(text: string): string {
    // The second reading decodes backslashes once more, but protects quotes itself.
    const decodedOnce = this.reading === 'twice' ? text.replaceAll('\\', '\\\\') : text
    return `"${decodedOnce.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
  }
}

function printPoints(points: readonly GeoPoint[]): string {
  return points.map(({ lat, lng }) => `[${lat}, ${lng}]`).join(', ')
}
