import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { Button, IconButton } from '../parts/button.js'

interface PairsProps<T> {
  readonly legend: string
  readonly help?: string
  readonly items: readonly T[]
  readonly empty: T
  readonly addText: string
  removeText(item: T): string
  draw(item: T, change: (changes: Partial<T>) => void): ComponentChildren
  onItems(items: readonly T[]): void
}

/** A few things of two fields each, to add to and to take from. */
export function Pairs<T extends object>(props: PairsProps<T>) {
  const { legend, help, items, empty, addText, removeText, draw, onItems } = props
  const box = useRef<HTMLFieldSetElement>(null)
  const remove = (at: number) => {
    onItems(items.filter((_, i) => i !== at))
    // The button that was pressed goes away.
    box.current?.querySelector<HTMLElement>(':scope > button')?.focus()
  }
  return (
    <fieldset class="pairs" ref={box}>
      <legend>{legend}</legend>
      {help !== undefined && <p class="help">{help}</p>}
      {items.map((item, at) => (
        <div key={at} class="pair" role="group" aria-label={`${legend} ${at + 1}`}>
          {draw(item, (changes) => onItems(items.map((each, i) => (i === at ? { ...each, ...changes } : each))))}
          <IconButton label={removeText(item)} icon="trash" onClick={() => remove(at)} />
        </div>
      ))}
      <Button icon="plus" onClick={() => onItems([...items, empty])}>
        {addText}
      </Button>
    </fieldset>
  )
}
