import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { IconButton } from '../parts/button.js'
import { texts } from '../texts/index.js'

export interface OrderedProps<T> {
  readonly label: string
  readonly items: readonly T[]
  nameOf(item: T): string
  onItems(items: readonly T[]): void
  /** What is drawn of one; its name otherwise. */
  children?(item: T, change: (item: T) => void): ComponentChildren
}

/** More are drawn on demand. */
const SHOWN = 100

/** A list whose order matters: by its buttons, by Alt and arrows, or dragged. */
export function Ordered<T>({ label, items, nameOf, onItems, children }: OrderedProps<T>) {
  const list = useRef<HTMLOListElement>(null)
  const [dragged, setDragged] = useState<number | undefined>()
  const [isWhole, setWhole] = useState(false)
  const focusAt = useFocusAfter(list)
  const move = (from: number, to: number, selector = '') => {
    if (to < 0 || to >= items.length || from === to) return
    onItems(moved(items, from, to))
    focusAt(to, selector)
  }
  const remove = (at: number) => {
    onItems(items.filter((_item, i) => i !== at))
    focusAt(Math.min(at, items.length - 2), '')
  }
  return (
    <>
      <ol class="ordered" ref={list} aria-label={label} tabIndex={-1}>
        {items.slice(0, isWhole ? items.length : SHOWN).map((item, i) => (
          <Row
            key={i}
            name={nameOf(item)}
            place={i}
            last={items.length - 1}
            isDragged={dragged === i}
            onMove={(step, selector) => move(i, i + step, selector)}
            onStep={(step) => focusAt(Math.min(Math.max(i + step, 0), items.length - 1), '')}
            onRemove={() => remove(i)}
            onDrag={(isDragged) => setDragged(isDragged ? i : undefined)}
            onDrop={() => dragged !== undefined && move(dragged, i)}
          >
            {children === undefined
              ? nameOf(item)
              : children(item, (next) => onItems(items.map((each, at) => (at === i ? next : each))))}
          </Row>
        ))}
      </ol>
      {items.length > 1 && <p class="help">{texts.settings.orderHelp}</p>}
      {items.length > SHOWN && !isWhole && (
        <button type="button" class="link" onClick={() => setWhole(true)}>
          {texts.settings.showAll(items.length)}
        </button>
      )}
    </>
  )
}

interface RowProps {
  readonly name: string
  /** From 0. */
  readonly place: number
  readonly last: number
  readonly isDragged: boolean
  /** By `step` places; the focus goes to what `selector` finds in the row then, or to the row. */
  onMove(step: number, selector: string): void
  /** The focus only. */
  onStep(step: number): void
  onRemove(): void
  onDrag(isDragged: boolean): void
  /** Another one is let go on this one. */
  onDrop(): void
  readonly children: ComponentChildren
}

function Row({ name, place, last, isDragged, onMove, onStep, onRemove, onDrag, onDrop, children }: RowProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.target !== event.currentTarget) return
    if (step !== undefined && event.altKey) onMove(step, '')
    else if (step !== undefined) onStep(step)
    else if (event.key === 'Delete') onRemove()
    else return
    event.preventDefault()
  }
  return (
    <li
      tabIndex={0}
      class={isDragged ? 'dragged' : ''}
      draggable
      onKeyDown={onKeyDown}
      onDragStart={() => onDrag(true)}
      onDragEnd={() => onDrag(false)}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        onDrop()
      }}
    >
      <span class="place" aria-hidden="true">
        {place + 1}
      </span>
      <div class="ordered-body">{children}</div>
      <div class="ordered-actions">
        <IconButton
          class="up"
          icon="down"
          label={texts.settings.moveUp(name)}
          aria-disabled={place === 0}
          onClick={() => onMove(-1, '.up')}
        />
        <IconButton
          class="lower"
          icon="down"
          label={texts.settings.moveDown(name)}
          aria-disabled={place === last}
          onClick={() => onMove(1, '.lower')}
        />
        <IconButton icon="close" label={texts.settings.remove(name)} onClick={onRemove} />
      </div>
    </li>
  )
}

function moved<T>(items: readonly T[], from: number, to: number): T[] {
  const rest = items.filter((_item, i) => i !== from)
  return [...rest.slice(0, to), items[from]!, ...rest.slice(to)]
}

/** Where the focus goes once the list is drawn again: the button of a row, the row itself, or the empty list. */
function useFocusAfter(list: { current: HTMLElement | null }) {
  const wanted = useRef<{ at: number; selector: string } | undefined>(undefined)
  const [, setTurn] = useState(0)
  useLayoutEffect(() => {
    if (wanted.current === undefined) return
    const { at, selector } = wanted.current
    wanted.current = undefined
    const row = list.current?.children[at] as HTMLElement | undefined
    const target = selector === '' ? row : row?.querySelector<HTMLElement>(selector)
    ;(target ?? list.current)?.focus()
  })
  return (at: number, selector: string) => {
    wanted.current = { at, selector }
    setTurn((before) => before + 1)
  }
}
