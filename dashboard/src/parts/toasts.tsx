import { signal } from '@preact/signals'
import { failureOf } from '../server/failure.js'
import { texts } from '../texts/index.js'
import { IconButton } from './button.js'

interface Toast {
  readonly id: number
  readonly kind: 'done' | 'failed'
  readonly text: string
}

const SHOWN_MS = 5_000

const toasts = signal<readonly Toast[]>([])
let made = 0

function say(kind: Toast['kind'], text: string): void {
  const id = ++made
  toasts.value = [...toasts.value, { id, kind, text }]
  // What failed stays until somebody has read it.
  if (kind === 'done') setTimeout(() => drop(id), SHOWN_MS)
}

export const sayDone = (text: string): void => say('done', text)

export const sayFailed = (error: unknown): void => {
  const { code, message } = failureOf(error)
  say('failed', `${message} (${code})`)
}

function drop(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id)
}

/** What was done a moment ago, in a corner. */
export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, kind, text }) => (
        <div key={id} class={`toast ${kind}`}>
          <span>{text}</span>
          <IconButton label={texts.common.close} icon="close" onClick={() => drop(id)} />
        </div>
      ))}
    </div>
  )
}
