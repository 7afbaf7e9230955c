import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

/** Drawn above and below what can be seen. */
const BEYOND = 8

export interface RowsProps<T> {
  readonly items: readonly T[]
  readonly rowHeight: number
  readonly label: string
  draw(item: T, index: number): ComponentChildren
  /** The end is near: there may be more. */
  onEnd?(): void
}

/** A long list of rows of one height, of which only those that can be seen exist. */
export function Rows<T>({ items, rowHeight, label, draw, onEnd }: RowsProps<T>) {
  const box = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  const [height, setHeight] = useState(600)
  useEffect(() => {
    const element = box.current!
    const observer = new ResizeObserver(() => setHeight(element.clientHeight))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const first = Math.max(0, Math.floor(top / rowHeight) - BEYOND)
  const last = Math.min(items.length, Math.ceil((top + height) / rowHeight) + BEYOND)
  useEffect(() => {
    if (last >= items.length) onEnd?.()
  }, [last, items.length, onEnd])
  return (
    <div
      class="rows"
      ref={box}
      role="list"
      aria-label={label}
      tabIndex={0}
      onScroll={() => setTop(box.current!.scrollTop)}
    >
      <div class="rows-space" style={{ height: `${items.length * rowHeight}px` }}>
        {items.slice(first, last).map((item, i) => (
          <div
            key={first + i}
            class="row"
            role="listitem"
            aria-setsize={items.length}
            aria-posinset={first + i + 1}
            style={{ transform: `translateY(${(first + i) * rowHeight}px)`, height: `${rowHeight}px` }}
          >
            {draw(item, first + i)}
          </div>
        ))}
      </div>
    </div>
  )
}
