import { useEffect, useRef, useState } from 'preact/hooks'
import { type Failure, failureOf, isAborted } from '../server/failure.js'
import { askRaw } from '../server/raw.js'

export const LEVELS = ['error', 'warn', 'info', 'debug', 'trace'] as const
export type Level = (typeof LEVELS)[number]

export interface LogLine {
  readonly id: number
  readonly text: string
}

export interface LogStream {
  readonly lines: readonly LogLine[]
  readonly isListening: boolean
  readonly failure: Failure | undefined
  listen(level: Level): void
  stop(): void
  clear(): void
}

/** Older ones are let go. */
const MOST_LINES = 500
/** Lines may come by the thousand: they are drawn together. */
const DRAW_EVERY_MS = 200

/** The log of the server as it is written, until somebody stops it or leaves. */
export function useLogStream(): LogStream {
  const [lines, setLines] = useState<readonly LogLine[]>([])
  const [isListening, setListening] = useState(false)
  const [failure, setFailure] = useState<Failure | undefined>()
  const current = useRef<AbortController | undefined>(undefined)
  useEffect(() => () => current.current?.abort(), [])

  const listen = async (level: Level) => {
    current.current?.abort()
    const controller = new AbortController()
    current.current = controller
    setFailure(undefined)
    setListening(true)
    try {
      const { body } = await askRaw('POST', 'logs/stream', { body: { target: level }, signal: controller.signal })
      await readLines(body!, (more) => setLines((before) => [...before, ...more].slice(-MOST_LINES)))
    } catch (error) {
      if (!isAborted(error)) setFailure(failureOf(error))
    }
    if (current.current === controller) setListening(false)
  }
  return {
    lines,
    isListening,
    failure,
    listen: (level) => void listen(level),
    stop: () => current.current?.abort(),
    clear: () => setLines([]),
  }
}

let made = 0

async function readLines(body: ReadableStream<Uint8Array>, say: (lines: LogLine[]) => void): Promise<void> {
  const decoder = new TextDecoder()
  let rest = ''
  let waiting: LogLine[] = []
  const draw = () => {
    if (waiting.length > 0) say(waiting)
    waiting = []
  }
  const timer = setInterval(draw, DRAW_EVERY_MS)
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      const pieces = (rest + decoder.decode(value, { stream: true })).split('\n')
      rest = pieces.pop() ?? ''
      waiting.push(...pieces.map((text) => ({ id: ++made, text })))
    }
  } finally {
    clearInterval(timer)
    draw()
  }
}
