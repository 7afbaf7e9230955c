import { useState } from 'preact/hooks'
import { Button } from '../parts/button.js'
import { Failed, Waiting } from '../parts/faces.js'
import { focusMain } from '../parts/focus.js'
import { sayFailed } from '../parts/toasts.js'
import { texts } from '../texts/index.js'
import { Chart } from './chart.js'
import { switchFeature } from './features.js'
import { cpuPercent, lineOf, meanMs, quantileMs, requestsPerSecond, searchesPerSecond } from './lines.js'
import { type Sample, samples, useSampling } from './samples.js'

const MEBIBYTE = 1024 ** 2

/** What the server does at this moment, from what operators scrape. */
export function Live({ isOn, maySwitch }: { isOn: boolean; maySwitch: boolean }) {
  const failure = useSampling(isOn)
  if (!isOn && !maySwitch) return null
  return (
    <section class="panel" aria-label={texts.server.live}>
      <h2>{texts.server.live}</h2>
      {!isOn ? (
        <SwitchOn />
      ) : failure !== undefined ? (
        <Failed failure={failure} />
      ) : samples.value.length < 2 ? (
        <Waiting />
      ) : (
        <Charts samples={samples.value} />
      )}
    </section>
  )
}

function SwitchOn() {
  const [isBusy, setBusy] = useState(false)
  const switchOn = async () => {
    setBusy(true)
    try {
      await switchFeature('metrics', true)
      focusMain()
    } catch (error) {
      sayFailed(error)
      setBusy(false)
    }
  }
  return (
    <div class="offer">
      <p class="muted">{texts.server.metricsOff}</p>
      <Button kind="primary" isBusy={isBusy} onClick={() => void switchOn()}>
        {texts.server.metricsOn}
      </Button>
    </div>
  )
}

function Charts({ samples }: { samples: readonly Sample[] }) {
  const memory = samples.map(({ atMs, memoryBytes }) => ({ atMs, value: memoryBytes }))
  const hasProcess = samples.at(-1)?.memoryBytes !== undefined
  return (
    <div class="charts">
      <Chart
        title={texts.server.throughput}
        show={texts.server.perSecond}
        lines={[
          { name: texts.server.searches, points: lineOf(samples, searchesPerSecond) },
          { name: texts.server.requests, points: lineOf(samples, requestsPerSecond) },
        ]}
      />
      <Chart
        title={texts.server.latency}
        show={texts.server.milliseconds}
        lines={[
          { name: texts.server.mean, points: lineOf(samples, meanMs) },
          { name: texts.server.quantile95, points: lineOf(samples, quantileMs(0.95)) },
        ]}
      />
      {hasProcess && (
        <>
          <Chart
            title={texts.server.memory}
            show={texts.bytes}
            unit={MEBIBYTE}
            lines={[{ name: texts.server.resident, points: memory }]}
          />
          <Chart
            title={texts.server.processor}
            show={texts.server.percent}
            lines={[{ name: texts.server.ofOneProcessor, points: lineOf(samples, cpuPercent) }]}
          />
        </>
      )}
    </div>
  )
}
