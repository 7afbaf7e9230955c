import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Button, IconButton } from '../parts/button.js'
import { texts } from '../texts/index.js'

/** A list that somebody pasted is longer than what fits on a page. */
const SHOWN = 200
const MOST_SUGGESTIONS = 200

export interface AddProps {
  readonly label: string
  readonly suggestions?: readonly string[]
  /** Spaces may be what is meant, as in separators. */
  readonly isVerbatim?: boolean
  onAdd(words: readonly string[]): void
}

/** One more word; or many, if lines are pasted. */
export function Add({ label, suggestions = [], isVerbatim = false, onAdd }: AddProps) {
  const [typed, setTyped] = useState('')
  const id = useId()
  const add = (lines: readonly string[]) => {
    const words = lines.map((line) => (isVerbatim ? line : line.trim())).filter((word) => word !== '')
    if (words.length > 0) onAdd(words)
    setTyped('')
  }
  return (
    <form
      class="add"
      onSubmit={(event) => {
        event.preventDefault()
        add([typed])
      }}
    >
      <input
        type="text"
        aria-label={label}
        placeholder={label}
        list={suggestions.length === 0 ? undefined : id}
        autocomplete="off"
        spellcheck={false}
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onPaste={(event) => {
          const lines = event.clipboardData?.getData('text').split(/\r?\n/) ?? []
          if (lines.length < 2) return
          event.preventDefault()
          add(lines)
        }}
      />
      {suggestions.length > 0 && (
        <datalist id={id}>
          {suggestions.slice(0, MOST_SUGGESTIONS).map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
      <Button type="submit" icon="plus" disabled={typed === ''}>
        {texts.settings.add}
      </Button>
    </form>
  )
}

export interface WordsProps extends Omit<AddProps, 'onAdd'> {
  /** What the list is, for those who do not see it. */
  readonly name: string
  readonly words: readonly string[]
  onWords(words: readonly string[]): void
}

/** Words whose order does not matter. */
export function Words({ name, words, onWords, suggestions = [], ...add }: WordsProps) {
  const [shown, setShown] = useState(SHOWN)
  const list = useRef<HTMLUListElement>(null)
  const wanted = useRef<number | undefined>(undefined)
  useLayoutEffect(() => {
    if (wanted.current === undefined) return
    const buttons = list.current?.querySelectorAll('button') ?? []
    ;((buttons[Math.min(wanted.current, buttons.length - 1)] as HTMLElement | undefined) ?? list.current)?.focus()
    wanted.current = undefined
  })
  const remove = (at: number) => {
    wanted.current = at
    onWords(words.filter((_word, i) => i !== at))
  }
  return (
    <div class="words-editor">
      <ul class="chips" ref={list} tabIndex={-1} aria-label={name}>
        {words.slice(0, shown).map((word, i) => (
          <li key={i}>
            <span class="value">{word.trim() === '' ? JSON.stringify(word) : word}</span>
            <IconButton icon="close" label={texts.settings.remove(word)} onClick={() => remove(i)} />
          </li>
        ))}
        {words.length === 0 && <li class="none muted">{texts.settings.none}</li>}
      </ul>
      {words.length > shown && (
        <button type="button" class="link" onClick={() => setShown(shown * 10)}>
          {texts.settings.showMore(words.length - shown)}
        </button>
      )}
      <Add
        {...add}
        suggestions={suggestions.filter((each) => !words.includes(each))}
        onAdd={(more) => onWords([...new Set([...words, ...more])])}
      />
    </div>
  )
}
