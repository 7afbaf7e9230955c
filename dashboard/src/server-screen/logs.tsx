import { useEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../parts/button.js'
import { Select } from '../parts/field.js'
import { sayFailed } from '../parts/toasts.js'
import { LongText } from '../parts/value.js'
import { ask } from '../server/client.js'
import { texts } from '../texts/index.js'
import { LEVELS, type Level, type LogLine, type LogStream, useLogStream } from './log-stream.js'

const CHOICES = LEVELS.map((value) => ({ value, text: texts.server.levels[value] }))

export function Logs() {
  const stream = useLogStream()
  const [level, setLevel] = useState<Level>('info')
  /** What is shown while it is held, whatever comes. */
  const [held, setHeld] = useState<readonly LogLine[] | undefined>()
  const choose = (next: Level) => {
    setLevel(next)
    if (stream.isListening) stream.listen(next)
  }
  const stop = () => {
    setHeld(undefined)
    stream.stop()
  }
  return (
    <section class="panel" aria-label={texts.server.logs}>
      <h2>{texts.server.logs}</h2>
      <div class="log-bar">
        <Select
          label={texts.server.level}
          value={level}
          choices={CHOICES}
          onChoose={(value) => choose(value as Level)}
        />
        {/* One button for both, so that it keeps the focus. */}
        <Button
          kind={stream.isListening ? 'plain' : 'primary'}
          onClick={() => (stream.isListening ? stop() : stream.listen(level))}
        >
          {stream.isListening ? texts.server.stop : texts.server.listen}
        </Button>
        {stream.isListening && (
          <Button aria-pressed={held !== undefined} onClick={() => setHeld(held ? undefined : stream.lines)}>
            {texts.server.hold}
          </Button>
        )}
        {stream.lines.length > 0 && (
          <Button kind="quiet" onClick={stream.clear}>
            {texts.server.clear}
          </Button>
        )}
      </div>
      <Refused stream={stream} level={level} />
      <Lines lines={held ?? stream.lines} isListening={stream.isListening} />
    </section>
  )
}

/** Mostly because somebody else listens already: there is one listener only. */
function Refused({ stream, level }: { stream: LogStream; level: Level }) {
  if (stream.failure === undefined) return null
  const takeOver = async () => {
    try {
      await ask('delete', 'logs/stream')
      stream.listen(level)
    } catch (error) {
      sayFailed(error)
    }
  }
  return (
    <div class="offer" role="alert">
      <p>
        {stream.failure.message} <code>{stream.failure.code}</code>
      </p>
      {stream.failure.code === 'bad_request' && (
        <Button onClick={() => void takeOver()}>{texts.server.takeOver}</Button>
      )}
    </div>
  )
}

function Lines({ lines, isListening }: { lines: readonly LogLine[]; isListening: boolean }) {
  const box = useRef<HTMLOListElement>(null)
  const isAtEnd = useRef(true)
  useEffect(() => {
    if (isAtEnd.current && box.current) box.current.scrollTop = box.current.scrollHeight
  }, [lines])
  if (lines.length === 0) return <p class="muted">{isListening ? texts.server.noLines : texts.server.logsHelp}</p>
  return (
    <ol
      ref={box}
      class="log code"
      tabIndex={0}
      aria-label={texts.server.logs}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < 30
      }}
    >
      {lines.map(({ id, text }) => (
        <li key={id} class={/ (ERROR|WARN) /.test(text.slice(0, 40)) ? 'bad' : ''}>
          <LongText text={text} />
        </li>
      ))}
    </ol>
  )
}
