import { Rows } from '../parts/rows.js'
import { texts } from '../texts/index.js'
import type { Listed } from './pages.js'

const ROW_HEIGHT = 44

/** A row of it opens the document; arrows go from one to the next. */
export function DocumentList({ listed, onOpen, onEnd }: { listed: Listed; onOpen(id: string): void; onEnd(): void }) {
  const { columns, rows } = listed
  return (
    <div class="document-list">
      <div class="document-head" aria-hidden="true">
        {columns.map((name) => (
          <span key={name}>{name}</span>
        ))}
      </div>
      <div class="document-rows" onKeyDown={moveFocus}>
        <Rows
          items={rows}
          rowHeight={ROW_HEIGHT}
          label={texts.documents.list}
          onEnd={onEnd}
          draw={({ id, cells }) => (
            <button type="button" class="document-row" onClick={() => onOpen(id)}>
              {cells.map((text, i) => (
                <span key={columns[i]}>
                  <span class="sr-only">{columns[i]}: </span>
                  {text}
                </span>
              ))}
            </button>
          )}
        />
      </div>
    </div>
  )
}

function moveFocus(event: KeyboardEvent): void {
  const row = (event.target as Element).closest('.row')
  const next = { ArrowDown: row?.nextElementSibling, ArrowUp: row?.previousElementSibling }[event.key]
  if (next === undefined || next === null) return
  event.preventDefault()
  next.querySelector('button')?.focus()
}
