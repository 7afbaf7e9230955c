import { signal } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Icon, type IconName } from '../parts/icon.js'
import type { Overview } from '../server/overview.js'
import { texts } from '../texts/index.js'
import { addressOf } from './place.js'
import type { Screen } from './screens.js'

export const isPaletteOpen = signal(false)

interface Entry {
  readonly text: string
  readonly icon: IconName
  readonly address: string
}

/** Goes anywhere by typing a part of its name. */
export function Palette(props: { screens: readonly Screen[]; overview: Overview; index: string }) {
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState(0)
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current!.showModal(), [])
  const entries = entriesOf(props).filter(({ text }) => isLike(text, typed))
  const current = Math.min(chosen, entries.length - 1)
  const open = (entry: Entry | undefined) => {
    if (entry === undefined) return
    location.hash = entry.address
    dialog.current!.close()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setChosen((current + step + entries.length) % Math.max(1, entries.length))
    else if (event.key === 'Enter') open(entries[current])
    else return
    event.preventDefault()
  }
  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label={texts.palette.title}
      onClose={() => void (isPaletteOpen.value = false)}
      onClick={(event) => event.target === dialog.current && dialog.current!.close()}
      onKeyDown={onKeyDown}
    >
      <input
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-entries"
        aria-activedescendant={entries.length === 0 ? undefined : `palette-${current}`}
        aria-label={texts.palette.title}
        placeholder={texts.palette.placeholder}
        value={typed}
        onInput={(event) => {
          setTyped(event.currentTarget.value)
          setChosen(0)
        }}
      />
      <ul id="palette-entries" role="listbox" aria-label={texts.palette.title}>
        {entries.map((entry, i) => (
          <li
            key={entry.address}
            id={`palette-${i}`}
            role="option"
            aria-selected={i === current}
            onClick={() => open(entry)}
            onKeyDown={onKeyDown}
          >
            <Icon name={entry.icon} />
            {entry.text}
          </li>
        ))}
        {entries.length === 0 && (
          <li role="option" aria-selected="false" class="muted">
            {texts.palette.nothing}
          </li>
        )}
      </ul>
    </dialog>
  )
}

function entriesOf({
  screens,
  overview,
  index,
}: {
  screens: readonly Screen[]
  overview: Overview
  index: string
}): Entry[] {
  const own = screens.map(({ name, icon, isOfIndex }) => ({
    text: texts.screens[name],
    icon,
    address: addressOf(name, isOfIndex && index !== '' ? [index] : []),
  }))
  const ofOthers = (overview.indexes ?? []).flatMap(({ uid }) =>
    screens
      .filter(({ isOfIndex }) => isOfIndex)
      .map(({ name, icon }) => ({ text: `${uid} · ${texts.screens[name]}`, icon, address: addressOf(name, [uid]) })),
  )
  return [...own, ...ofOthers]
}

/** All words that were typed are in it, in any order. */
const isLike = (text: string, typed: string): boolean =>
  typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.toLowerCase().includes(word))
