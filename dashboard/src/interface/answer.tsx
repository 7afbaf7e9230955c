import { useEffect, useRef, useState } from 'preact/hooks'
import { Code } from '../parts/code.js'
import { Failed } from '../parts/faces.js'
import { type Failure, failureOf, isAborted } from '../server/failure.js'
import { texts } from '../texts/index.js'
import type { Operation } from './description.js'
import { type Draft, send } from './request.js'

interface Received {
  readonly status: number
  readonly reason: string
  readonly ms: number
  readonly headers: readonly (readonly [string, string])[]
  readonly text: string
  readonly isCut: boolean
}

export interface Sending {
  readonly isBusy: boolean
  readonly received: Received | undefined
  readonly failure: Failure | undefined
  start(draft: Draft): void
  stop(): void
}

/** As much as a page shows without effort. */
const MOST_CHARACTERS = 200_000

/** Sends, and shows what comes as it comes: some answers have no end. */
export function useSending(operation: Operation): Sending {
  const [isBusy, setBusy] = useState(false)
  const [received, setReceived] = useState<Received | undefined>()
  const [failure, setFailure] = useState<Failure | undefined>()
  const current = useRef<AbortController | undefined>(undefined)
  useEffect(() => () => current.current?.abort(), [])
  const start = async (draft: Draft) => {
    const controller = new AbortController()
    current.current = controller
    setBusy(true)
    setFailure(undefined)
    setReceived(undefined)
    try {
      await receive(operation, draft, controller, setReceived)
    } catch (error) {
      if (!isAborted(error)) setFailure(failureOf(error))
    }
    setBusy(false)
  }
  return { isBusy, received, failure, start: (draft) => void start(draft), stop: () => current.current?.abort() }
}

async function receive(
  operation: Operation,
  draft: Draft,
  controller: AbortController,
  say: (received: Received) => void,
): Promise<void> {
  const startedAt = performance.now()
  const response = await send(operation, draft, controller.signal)
  const head = {
    status: response.status,
    reason: response.statusText,
    ms: Math.round(performance.now() - startedAt),
    headers: [...response.headers],
  }
  say({ ...head, text: '', isCut: false })
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
    if (done) break
    text += decoder.decode(value, { stream: true })
    const isCut = text.length > MOST_CHARACTERS
    say({ ...head, text: text.slice(0, MOST_CHARACTERS), isCut })
    if (isCut) return controller.abort()
  }
  say({ ...head, text: pretty(text), isCut: false })
}

/** JSON with its lines, anything else as it is. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

export function AnswerShown({ sending: { received, failure, isBusy } }: { sending: Sending }) {
  if (failure !== undefined) return <Failed failure={failure} />
  return (
    <div class="received">
      <p role="status" class={received !== undefined && received.status >= 400 ? 'bad' : 'good'}>
        {received !== undefined && texts.interface.took(received.status, received.reason, received.ms)}{' '}
        {isBusy && texts.interface.sending}
      </p>
      {received !== undefined && (
        <>
          <details>
            <summary>{texts.interface.headers}</summary>
            <Code
              label={texts.interface.headers}
              text={received.headers.map(([name, value]) => `${name}: ${value}`).join('\n')}
            />
          </details>
          <Code
            label={texts.interface.answer}
            text={received.text === '' && !isBusy ? texts.interface.noBody : received.text}
          />
          {received.isCut && <p class="muted">{texts.interface.tooLong}</p>}
        </>
      )}
    </div>
  )
}
