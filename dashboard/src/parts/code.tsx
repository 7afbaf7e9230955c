import { useState } from 'preact/hooks'
import { texts } from '../texts/index.js'
import { IconButton } from './button.js'

const SAID_MS = 1_500

export function CopyButton({ text, label = texts.common.copy }: { text: string; label?: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), SAID_MS)
  }
  return (
    <IconButton
      label={isCopied ? texts.common.copied : label}
      icon={isCopied ? 'check' : 'copy'}
      onClick={() => void copy()}
    />
  )
}

/** Something to read and to take along. */
export function Code({ text, label }: { text: string; label: string }) {
  return (
    <div class="code-block">
      {/* It scrolls, and has to by keyboard. */}
      <pre tabIndex={0} role="region" aria-label={label}>
        {text}
      </pre>
      <CopyButton text={text} />
    </div>
  )
}
