import type { Batch } from 'meilisearch'
import { texts } from '../texts/index.js'
import './batch-progress.css'

/** How far a running batch is, step within step. */
export function BatchProgress({ batch }: { batch: Batch }) {
  const { progress } = batch
  if (progress === null) return null
  return (
    <div class="batch-progress">
      <label>
        <span>{texts.tasks.percentage(progress.percentage)}</span>
        <progress max={100} value={progress.percentage} aria-label={texts.tasks.progressOf(batch.uid)} />
      </label>
      <ol>
        {progress.steps.map(({ currentStep, finished, total }, i) => (
          <li key={i}>
            <span>{currentStep}</span>
            <span class="count">{texts.tasks.step(finished, total)}</span>
          </li>
        ))}
      </ol>
    </div>
  )
}
