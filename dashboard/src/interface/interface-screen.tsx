import { useEffect, useRef } from 'preact/hooks'
import { addressOf, place, setParams } from '../app/place.js'
import { Empty, Face } from '../parts/faces.js'
import { Field } from '../parts/field.js'
import { ask } from '../server/client.js'
import { useLoaded } from '../server/loaded.js'
import { texts } from '../texts/index.js'
import { type Description, grouped, isLike, type Operation, operationsOf } from './description.js'
import './interface.css'
import { Method, OperationPage } from './operation-page.js'

/** What the server says of itself, to read and to try. */
export default function InterfaceScreen() {
  const loading = useLoaded((signal) => ask<Description>('get', 'openapi.json', { signal }), [])
  return (
    <div class="interface-screen">
      <h1>{texts.screens.interface}</h1>
      <Face loading={loading}>{(description) => <Pages description={description} />}</Face>
    </div>
  )
}

function Pages({ description }: { description: Description }) {
  const { params } = place.value
  const filter = params.get('filter') ?? ''
  const operations = operationsOf(description)
  const chosen = operations.find(({ id }) => id === params.get('operation'))
  const page = useOpened(chosen?.id)
  return (
    <div class={`interface-pages ${chosen === undefined ? '' : 'has-operation'}`}>
      <div class="operation-list">
        <Field label={texts.interface.filter} help={texts.interface.filterHelp}>
          {(ids) => (
            <input
              type="search"
              {...ids}
              autocomplete="off"
              spellcheck={false}
              value={filter}
              onInput={(event) => setParams({ filter: event.currentTarget.value })}
            />
          )}
        </Field>
        <Groups
          groups={grouped(
            operations.filter((each) => isLike(each, filter)),
            description,
          )}
          chosen={chosen}
          filter={filter}
        />
      </div>
      <div class="operation-page" ref={page} tabIndex={-1}>
        {chosen === undefined ? (
          <Empty icon="interface" title={texts.interface.choose}>
            <p class="muted">{texts.interface.chooseHelp}</p>
          </Empty>
        ) : (
          <>
            <a class="back" href={addressOf('interface', [], { filter })}>
              {texts.interface.all}
            </a>
            <OperationPage key={chosen.id} operation={chosen} description={description} />
          </>
        )}
      </div>
    </div>
  )
}

/** Another operation begins at its top. On narrow pages the list with the link that was followed is gone then. */
function useOpened(id: string | undefined) {
  const page = useRef<HTMLDivElement>(null)
  const before = useRef(id)
  useEffect(() => {
    if (before.current === id) return
    before.current = id
    scrollTo(0, 0)
    if (document.activeElement !== null && isVisible(document.activeElement)) return
    const shown = id === undefined ? document.getElementById('main') : page.current
    shown?.focus({ preventScroll: true })
  }, [id])
  return page
}

const isVisible = (element: Element): boolean => element !== document.body && element.checkVisibility()

interface GroupsProps {
  readonly groups: readonly [string, Operation[]][]
  readonly chosen: Operation | undefined
  readonly filter: string
}

function Groups({ groups, chosen, filter }: GroupsProps) {
  if (groups.length === 0) return <p class="muted">{texts.interface.nothing}</p>
  return (
    <nav aria-label={texts.interface.operations}>
      {groups.map(([group, operations]) => (
        <section key={group}>
          <h2>{group}</h2>
          <ul>
            {operations.map(({ id, method, path, summary }) => (
              <li key={id}>
                <a
                  href={addressOf('interface', [], { operation: id, filter })}
                  aria-current={id === chosen?.id ? 'page' : undefined}
                >
                  <Method method={method} />
                  <span class="operation-name">
                    <code>{path}</code>
                    <span class="muted">{summary}</span>
                  </span>
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  )
}
