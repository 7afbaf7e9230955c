import { useEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../parts/button.js'
import { Empty } from '../parts/faces.js'
import { TextField } from '../parts/field.js'
import { LongText, Value } from '../parts/value.js'
import { lookOf } from '../search/looks.js'
import { client } from '../server/client.js'
import { failureOf } from '../server/failure.js'
import { texts } from '../texts/index.js'
import {
  answered,
  asking,
  type Conversation,
  eventsOf,
  hear,
  type Lookup,
  NOTHING_SAID,
  TELLING,
  type Turn,
} from './conversation.js'

const MODEL = 'findling-chat-model'

/** One conversation. It is forgotten when one leaves: the server keeps none either. */
export function Talk({ workspace }: { workspace: string }) {
  const [model, setModel] = useState(localStorage.getItem(MODEL) ?? '')
  const [text, setText] = useState('')
  const { conversation, isAnswering, say, clear } = useConversation(workspace, model)
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => end.current?.scrollIntoView({ block: 'nearest' }), [conversation])
  return (
    <section class="talk" aria-label={texts.chat.conversation}>
      <div class="turns" role="log" aria-live="polite">
        {conversation.turns.length === 0 && <Empty icon="chat" title={texts.chat.ask} />}
        {conversation.turns.map((turn, i) => (
          <TurnView key={i} turn={turn} isOpen={isAnswering && i === conversation.turns.length - 1} />
        ))}
        <div ref={end} />
      </div>
      <form
        class="say"
        onSubmit={(event) => {
          event.preventDefault()
          localStorage.setItem(MODEL, model)
          void say(text)
          setText('')
        }}
      >
        <TextField label={texts.chat.question} value={text} onText={setText} required />
        <TextField
          label={texts.chat.model}
          help={texts.chat.modelHelp}
          value={model}
          onText={setModel}
          isCode
          required
        />
        <Button kind="primary" type="submit" isBusy={isAnswering}>
          {texts.chat.send}
        </Button>
        <Button onClick={clear} disabled={conversation.turns.length === 0}>
          {texts.chat.clear}
        </Button>
      </form>
    </section>
  )
}

function useConversation(workspace: string, model: string) {
  const [conversation, setConversation] = useState<Conversation>(NOTHING_SAID)
  const [isAnswering, setAnswering] = useState(false)
  const say = async (text: string) => {
    let current = asking(conversation, text)
    const show = (next: Conversation) => {
      current = next
      setConversation(next)
    }
    show(current)
    setAnswering(true)
    try {
      const tools = TELLING.map((name) => ({ type: 'function', function: { name } }))
      const request = { model, messages: current.messages, stream: true, tools }
      const stream = await client.value.chat(workspace).streamCompletion(request as never)
      for await (const event of eventsOf(stream)) show(hear(current, event))
      show(answered(current))
    } catch (error) {
      const { message, code } = failureOf(error)
      show(hear(current, { type: 'error', error: { message: `${message} (${code})` } }))
    } finally {
      setAnswering(false)
    }
  }
  return { conversation, isAnswering, say, clear: () => setConversation(NOTHING_SAID) }
}

function TurnView({ turn, isOpen }: { turn: Turn; isOpen: boolean }) {
  return (
    <article class={`turn ${turn.role}`} aria-busy={isOpen}>
      <h2 class="sr-only">{texts.chat.roles[turn.role]}</h2>
      {turn.searches.map((lookup) => (
        <LookupView key={lookup.callId} lookup={lookup} />
      ))}
      {turn.text !== '' && (
        <p class="said">
          <LongText text={turn.text} most={20_000} />
        </p>
      )}
      {turn.error !== undefined && (
        <p class="error" role="alert">
          {turn.error}
        </p>
      )}
      {isOpen && turn.text === '' && <span class="spinner" aria-hidden="true" />}
    </article>
  )
}

/** What the model looked for, and what it found. */
function LookupView({ lookup }: { lookup: Lookup }) {
  const { index, q, filter, sources } = lookup
  return (
    <details class="lookup">
      <summary>{texts.chat.looked(index, q, filter, sources?.length)}</summary>
      <ol>
        {(sources ?? []).map((source, i) => (
          <li key={i}>
            <Value value={nameOf(source)} />
          </li>
        ))}
      </ol>
    </details>
  )
}

function nameOf(source: Readonly<Record<string, unknown>>): unknown {
  const { title } = lookOf(source, null)
  return title === undefined ? source : source[title]
}
