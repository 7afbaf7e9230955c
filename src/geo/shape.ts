import { ByteReader, ByteWriter, CorruptBytes } from '../bytes/index.js'
import type { Positions } from './path-arcs.js'

/** What a `_geojson` value draws, without its nesting: parts that all belong to the document. */
export interface Shape {
  readonly points: Positions
  readonly lines: readonly Positions[]
  /** Rings each: the outer one, then holes. Closed or not. */
  readonly polygons: readonly (readonly Positions[])[]
}

/*
 * A stored shape:
 *
 * ```
 * version(1 byte) decimals(1 byte)
 * positions of the points
 * number of lines, then of each: its positions
 * number of polygons, then of each: number of rings, then of each: its positions
 * ```
 *
 * Positions are their number and then longitudes and latitudes. Most maps have a few decimals: where up to seven are
 * enough for all coordinates to come back as they were, a coordinate is the integer `degrees * 10 ** decimals`, written
 * as its difference to the one before of its kind, modulo 2 ** 32, small ones first (0, -1, 1, -2, ...). Otherwise
 * `decimals` is 255 and coordinates are doubles, little-endian. Numbers are varints.
 */
const VERSION = 1
const DOUBLES = 255
/** 180 degrees with seven decimals are 1.8e9, which fits into 32 bits. */
const MAX_DECIMALS = 7

export function encodeShape(shape: Shape): Buffer {
  const decimals = decimalsOf(shape)
  const writer = new ShapeWriter(decimals)
  writer.positions(shape.points)
  writer.count(shape.lines.length)
  for (const line of shape.lines) writer.positions(line)
  writer.count(shape.polygons.length)
  for (const rings of shape.polygons) {
    writer.count(rings.length)
    for (const ring of rings) writer.positions(ring)
  }
  return writer.take()
}

export function decodeShape(bytes: Uint8Array): Shape {
  const reader = new ShapeReader(bytes)
  const points = reader.positions()
  const lines = reader.list(() => reader.positions())
  const polygons = reader.list(() => reader.list(() => reader.positions()))
  return { points, lines, polygons }
}

function* pathsOf({ points, lines, polygons }: Shape): Generator<Positions> {
  yield points
  yield* lines
  for (const rings of polygons) yield* rings
}

/** The fewest that lose nothing, or `DOUBLES`. */
function decimalsOf(shape: Shape): number {
  let decimals = 0
  for (const path of pathsOf(shape)) {
    for (const degrees of path) {
      while (Math.round(degrees * 10 ** decimals) / 10 ** decimals !== degrees) {
        if (++decimals > MAX_DECIMALS) return DOUBLES
      }
    }
  }
  return decimals
}

class ShapeWriter {
  private readonly writer = new ByteWriter()
  private readonly double = Buffer.alloc(8)
  private readonly last = [0, 0]

  constructor(private readonly decimals: number) {
    this.writer.byte(VERSION)
    this.writer.byte(decimals)
  }

  count(count: number): void {
    this.writer.varint(count)
  }

  positions(positions: Positions): void {
    this.count(positions.length / 2)
    for (const [i, degrees] of positions.entries()) {
      if (this.decimals === DOUBLES) {
        this.double.writeDoubleLE(degrees)
        this.writer.raw(this.double)
      } else this.difference(i % 2, Math.round(degrees * 10 ** this.decimals))
    }
  }

  take(): Buffer {
    return this.writer.take()
  }

  private difference(kind: number, value: number): void {
    const step = (value - this.last[kind]!) | 0
    this.writer.varint((step << 1) ^ (step >> 31))
    this.last[kind] = value
  }
}

class ShapeReader {
  private readonly reader: ByteReader
  private readonly decimals: number
  private readonly last = [0, 0]

  constructor(bytes: Uint8Array) {
    this.reader = new ByteReader(bytes)
    if (this.reader.byte() !== VERSION) throw new CorruptBytes('a shape of an unknown version')
    this.decimals = this.reader.byte()
  }

  list<T>(read: () => T): T[] {
    const list: T[] = []
    for (let count = this.reader.varint(); count > 0; count--) list.push(read())
    return list
  }

  positions(): number[] {
    const positions: number[] = []
    for (let count = this.reader.varint(); count > 0; count--) positions.push(this.degrees(0), this.degrees(1))
    return positions
  }

  private degrees(kind: number): number {
    if (this.decimals === DOUBLES) return Buffer.from(this.reader.raw(8)).readDoubleLE()
    const coded = this.reader.varint()
    const value = (this.last[kind]! + ((coded >>> 1) ^ -(coded & 1))) | 0
    this.last[kind] = value
    return value / 10 ** this.decimals
  }
}
