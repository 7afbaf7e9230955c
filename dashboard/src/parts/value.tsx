import { useState } from 'preact/hooks'
import { texts } from '../texts/index.js'

/** Longer ones take a click: a document may hold a megabyte in one field. */
const MOST_CHARACTERS = 300

/** A value of a document, as text whatever is in it. */
export function Value({ value, most = MOST_CHARACTERS }: { value: unknown; most?: number }) {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return (
    <span class={typeof value === 'string' ? 'value' : 'value json'}>
      <LongText text={text} most={most} />
    </span>
  )
}

export function LongText({ text, most = MOST_CHARACTERS }: { text: string; most?: number }) {
  const [shown, setShown] = useState(most)
  if (text.length <= shown) return <>{text}</>
  return (
    <>
      {text.slice(0, shown)}…{' '}
      <button type="button" class="link" onClick={() => setShown(shown * 10)}>
        {texts.common.moreCharacters(text.length - shown)}
      </button>
    </>
  )
}
