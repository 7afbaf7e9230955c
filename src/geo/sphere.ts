/**
 * The sphere as shapes see it: a position is a longitude in degrees and a height, the tangent of its latitude. Seen
 * from the centre, onto a cylinder around the equator, an arc of a great circle is a piece of a sine curve, so that two
 * arcs meet at most once, and where an arc stands at a longitude is one line of arithmetic.
 */
const RADIANS = Math.PI / 180

/** What `Math.tan` makes of 90 degrees: finite, and above the height of every other latitude. */
export const POLE_HEIGHT = Math.tan(Math.PI / 2)

export const radians = (degrees: number): number => degrees * RADIANS
export const heightOf = (lat: number): number => Math.tan(lat * RADIANS)
export const latitudeOf = (height: number): number => Math.atan(height) / RADIANS

/** Whether the arc between two heights is no arc, but a turn on the spot at a pole. */
export const isPoleTurn = (from: number, to: number): boolean => from === to && Math.abs(from) >= POLE_HEIGHT

/** The same meridian from -180 on, below 180; those from -180 to 180 stay as they are. */
export function wrapLongitude(lng: number): number {
  if (lng >= -180 && lng <= 180) return lng
  const turn = (lng + 180) % 360
  return (turn < 0 ? turn + 360 : turn) - 180
}

/** Degrees from one longitude to another the short way, positive to the east; between -180 and 180. */
export function shortWay(from: number, to: number): number {
  const step = to - from
  if (step > 180) return step - 360
  return step < -180 ? step + 360 : step
}

/** A piece of the sphere between two meridians and two parallels. Never across the 180th meridian. */
export interface HeightBox {
  readonly west: number
  readonly east: number
  /** Heights. */
  readonly low: number
  readonly high: number
}
