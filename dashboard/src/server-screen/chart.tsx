import { texts } from '../texts/index.js'
import type { Point } from './lines.js'
import { WINDOW_MS } from './samples.js'

export interface Line {
  readonly name: string
  readonly points: readonly Point[]
}

export interface ChartProps {
  readonly title: string
  readonly lines: readonly Line[]
  /** In which the scale has round numbers. */
  readonly unit?: number
  /** A number with its unit. */
  show(value: number): string
}

const WIDTH = 300
const HEIGHT = 80

/** Lines over the last five minutes. What it shows is also said in words. */
export function Chart({ title, lines, unit = 1, show }: ChartProps) {
  const nowMs = Math.max(0, ...lines.flatMap(({ points }) => points.map(({ atMs }) => atMs)))
  const values = lines.flatMap(({ points }) => points.flatMap(({ value }) => value ?? []))
  const top = niceTop(Math.max(0, ...values) / unit) * unit
  return (
    <figure class="chart">
      <figcaption>
        <h3>{title}</h3>
        <ul class="legend">
          {lines.map((line, i) => (
            <li key={line.name} class={`line-${i}`}>
              <span class="swatch" aria-hidden="true" />
              {line.name} <strong>{latestOf(line, show)}</strong>
            </li>
          ))}
        </ul>
      </figcaption>
      <div class="plot">
        <span class="top">{show(top)}</span>
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={lines.map((line) => inWords(title, line, show)).join(' ')}
        >
          <path class="grid" d={`M0 0H${WIDTH}M0 ${HEIGHT / 2}H${WIDTH}M0 ${HEIGHT}H${WIDTH}`} />
          {lines.map(({ name, points }, i) => (
            <path key={name} class={`line-${i}`} d={pathOf(points, nowMs, top)} />
          ))}
        </svg>
        <div class="times" aria-hidden="true">
          <span>{texts.server.fiveMinutesAgo}</span>
          <span>{texts.server.now}</span>
        </div>
      </div>
    </figure>
  )
}

/** The next of 1, 2 and 5 with zeros, so that the scale changes seldom. */
function niceTop(most: number): number {
  if (most <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(most))
  return power * [1, 2, 5, 10].find((step) => most <= step * power)!
}

/** A line begins anew behind each gap. */
function pathOf(points: readonly Point[], nowMs: number, top: number): string {
  let isDrawing = false
  return points
    .map(({ atMs, value }) => {
      if (value === undefined) {
        isDrawing = false
        return ''
      }
      const x = WIDTH * (1 - (nowMs - atMs) / WINDOW_MS)
      const y = HEIGHT * (1 - value / top)
      // A short stroke, so that a value between two gaps can be seen.
      const step = isDrawing ? 'L' : `M${(x - 1).toFixed(1)} ${y.toFixed(1)}L`
      isDrawing = true
      return `${step}${x.toFixed(1)} ${y.toFixed(1)}`
    })
    .join('')
}

const latestOf = ({ points }: Line, show: (value: number) => string): string => {
  const value = points.at(-1)?.value
  return value === undefined ? '–' : show(value)
}

function inWords(title: string, line: Line, show: (value: number) => string): string {
  const values = line.points.flatMap(({ value }) => value ?? [])
  if (values.length === 0) return texts.server.chartEmpty(title, line.name)
  return texts.server.chartInWords(title, line.name, {
    now: latestOf(line, show),
    least: show(Math.min(...values)),
    most: show(Math.max(...values)),
  })
}
