import type { Task } from 'meilisearch'
import { useMemo } from 'preact/hooks'
import { texts } from '../texts/index.js'
import { STATUSES } from './query.js'
import { BINS, durationsOf, type Statistics, statisticsOf, sum } from './statistics.js'

/** Drawn on a grid that is stretched to whatever room there is; words stand beside it, not in it. */
const HEIGHT = 100
const WIDTH = BINS * 10
const GAP = 1.5

/** Of the tasks that are loaded: when they came and what became of them, and how long they took. */
export function Charts({ tasks }: { tasks: readonly Task[] }) {
  const statistics = useMemo(() => statisticsOf(tasks), [tasks])
  return (
    <section class="charts" aria-label={texts.tasks.statistics}>
      <Counts statistics={statistics} />
      <Times statistics={statistics} />
    </section>
  )
}

function Counts({ statistics }: { statistics: Statistics }) {
  const { bins, most, totals } = statistics
  return (
    <figure>
      <figcaption>
        {texts.tasks.countsTitle(sum(totals))}
        <ul class="legend">
          {STATUSES.filter((status) => totals[status] > 0).map((status) => (
            <li key={status} class={status}>
              {texts.tasks.statuses[status]} {texts.number(totals[status])}
            </li>
          ))}
        </ul>
      </figcaption>
      <div class="plot">
        <span class="highest">{texts.tasks.countOf(most)}</span>
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          {bins.map((bin, i) => (
            <Bar key={bin.beginMs} bin={bin} place={i} most={most} />
          ))}
        </svg>
      </div>
      <TimeRange statistics={statistics} />
      <div class="sr-only">
        <table>
          <caption>{texts.tasks.countsTitle(sum(totals))}</caption>
          <thead>
            <tr>
              <th scope="col">{texts.tasks.columns.enqueued}</th>
              {STATUSES.map((status) => (
                <th key={status} scope="col">
                  {texts.tasks.statuses[status]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {bins
              .filter(({ counts }) => sum(counts) > 0)
              .map(({ beginMs, counts }) => (
                <tr key={beginMs}>
                  <th scope="row">{texts.tasks.moment(beginMs)}</th>
                  {STATUSES.map((status) => (
                    <td key={status}>{counts[status]}</td>
                  ))}
                </tr>
              ))}
          </tbody>
        </table>
      </div>
    </figure>
  )
}

function Bar({ bin, place, most }: { bin: Statistics['bins'][number]; place: number; most: number }) {
  let top = HEIGHT
  return (
    <>
      {STATUSES.filter((status) => bin.counts[status] > 0).map((status) => {
        const height = (bin.counts[status] / most) * HEIGHT
        top -= height
        return <rect key={status} class={status} x={place * 10 + GAP} y={top} width={10 - 2 * GAP} height={height} />
      })}
    </>
  )
}

/** On a scale of powers, as a task may take a millisecond or an hour. */
function Times({ statistics }: { statistics: Statistics }) {
  const { runs, fromMs, toMs } = statistics
  const durations = durationsOf(runs)
  if (durations === undefined) return null
  const { shortest, longest } = durations
  const lowest = Math.log(Math.max(shortest, 1e-6))
  const span = Math.max(Math.log(Math.max(longest, 1e-6)) - lowest, 1e-6)
  return (
    <figure>
      <figcaption>
        {texts.tasks.timesTitle}
        <p>{texts.tasks.durations(durations)}</p>
      </figcaption>
      <div class="plot">
        <span class="highest">{texts.tasks.seconds(longest)}</span>
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          {runs.map(({ uid, finishedMs, seconds }) => {
            const x = ((finishedMs - fromMs) / (toMs - fromMs)) * WIDTH
            const y = HEIGHT - ((Math.log(Math.max(seconds, 1e-6)) - lowest) / span) * HEIGHT
            // A line without length and with round ends: a dot that is not stretched with the grid.
            return <path key={uid} class="dot" d={`M${x.toFixed(2)} ${y.toFixed(2)}h0`} />
          })}
        </svg>
        <span class="lowest">{texts.tasks.seconds(shortest)}</span>
      </div>
      <TimeRange statistics={statistics} />
    </figure>
  )
}

function TimeRange({ statistics: { fromMs, toMs } }: { statistics: Statistics }) {
  return (
    <p class="time-range">
      <time dateTime={new Date(fromMs).toISOString()}>{texts.tasks.moment(fromMs)}</time>
      <time dateTime={new Date(toMs).toISOString()}>{texts.tasks.moment(toMs)}</time>
    </p>
  )
}
