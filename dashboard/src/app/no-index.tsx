import { useState } from 'preact/hooks'
import films from '../../../examples/films.json.gz?url'
import { Button } from '../parts/button.js'
import { Empty } from '../parts/faces.js'
import { sayFailed } from '../parts/toasts.js'
import { authorization, client } from '../server/client.js'
import { lookAround, type Overview } from '../server/overview.js'
import { texts } from '../texts/index.js'
import { go } from './place.js'

const INDEX = 'films'
const SETTINGS = {
  searchableAttributes: ['title', 'cast'],
  filterableAttributes: ['genres', 'year'],
  sortableAttributes: ['year'],
}
const POLL_MS = 100

/** A server without data, or a key that has to be told which index is meant. */
export function NoIndex({ overview }: { overview: Overview }) {
  const [step, setStep] = useState<string | undefined>()
  const load = async () => {
    try {
      await loadFilms(setStep)
      await lookAround()
      go('search', [INDEX])
    } catch (error) {
      sayFailed(error)
      setStep(undefined)
    }
  }
  if (overview.indexes === undefined) return <Empty icon="search" title={texts.noIndex.nameOne} />
  return (
    <Empty icon="documents" title={texts.noIndex.title}>
      <p class="muted">{texts.noIndex.what}</p>
      <Button kind="primary" isBusy={step !== undefined} onClick={() => void load()}>
        {step ?? texts.noIndex.load}
      </Button>
    </Empty>
  )
}

/** They come from this server, and go back to it as they are. */
async function loadFilms(say: (step: string) => void): Promise<void> {
  const index = client.value.index(INDEX)
  say(texts.noIndex.sending)
  await index.updateSettings(SETTINGS)
  const file = await fetch(films)
  const answer = await fetch(`/indexes/${INDEX}/documents?primaryKey=id`, {
    method: 'POST',
    headers: { ...authorization(), 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
    body: await file.arrayBuffer(),
  })
  const task = await answer.json()
  if (!answer.ok) throw new Error(task.message)
  say(texts.noIndex.indexing)
  const { error } = await client.value.tasks.waitForTask(task.taskUid, { timeout: 0, interval: POLL_MS })
  if (error) throw new Error(error.message)
}
