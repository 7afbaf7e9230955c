import type { Key } from 'meilisearch'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Button, IconButton } from '../parts/button.js'
import { CopyButton } from '../parts/code.js'
import { Confirm } from '../parts/dialog.js'
import { Empty, Face } from '../parts/faces.js'
import { focusMain } from '../parts/focus.js'
import { sayDone, sayFailed } from '../parts/toasts.js'
import { client } from '../server/client.js'
import { useLoaded } from '../server/loaded.js'
import { useMay } from '../server/may.js'
import { access } from '../server/overview.js'
import { texts } from '../texts/index.js'
import { textOf } from './actions.js'
import { ChangeKey } from './change-key.js'
import { KeyMade } from './key-made.js'
import { NewKey } from './new-key.js'
import { NoKeys } from './no-keys.js'

/** More keys than a person looks through. */
const MOST_KEYS = 1000

const WRONG = {
  create: { method: 'post', path: 'keys', body: {} },
  update: { method: 'patch', path: 'keys/nothing', body: {} },
  delete: { method: 'delete', path: 'keys/nothing' },
} as const

type Open = { readonly what: 'new' } | { readonly what: 'made' | 'change' | 'delete'; readonly key: Key }

export function KeyList() {
  const current = access.value
  const mayRead = current.state === 'open' && current.overview.may.has('keys')
  return mayRead ? <Listed /> : <NoKeys />
}

function Listed() {
  const may = useMay(WRONG)
  const loading = useLoaded(() => client.value.getKeys({ limit: MOST_KEYS }), [])
  const [open, setOpen] = useState<Open | undefined>()
  const close = () => setOpen(undefined)
  const made = (key: Key) => {
    setOpen({ what: 'made', key })
    loading.reload()
  }
  return (
    <section class="keys-section" aria-label={texts.keys.tabs.keys}>
      {may.has('create') && (
        <div class="keys-head">
          <Button kind="primary" icon="plus" onClick={() => setOpen({ what: 'new' })}>
            {texts.keys.newKey}
          </Button>
        </div>
      )}
      <Face loading={loading}>
        {({ results }) =>
          results.length === 0 ? (
            <Empty icon="keys" title={texts.keys.empty}>
              <p class="muted">{texts.keys.emptyHelp}</p>
            </Empty>
          ) : (
            <ul class="key-cards">
              {results.map((key) => (
                <KeyCard key={key.uid} of={key} may={may} onOpen={(what) => setOpen({ what, key })} />
              ))}
            </ul>
          )
        }
      </Face>
      {open?.what === 'new' && <NewKey onMade={made} onClose={close} />}
      {open?.what === 'made' && <KeyMade made={open.key} onClose={close} />}
      {open?.what === 'change' && <ChangeKey of={open.key} onSaved={loading.reload} onClose={close} />}
      {open?.what === 'delete' && <DeleteKey of={open.key} onDeleted={loading.reload} onClose={close} />}
    </section>
  )
}

interface KeyCardProps {
  readonly of: Key
  readonly may: ReadonlySet<keyof typeof WRONG>
  onOpen(what: 'change' | 'delete'): void
}

function KeyCard({ of: key, may, onOpen }: KeyCardProps) {
  const isExpired = key.expiresAt !== null && new Date(key.expiresAt) <= new Date()
  const name = nameOf(key)
  return (
    <li class="card" aria-label={name}>
      <div class="card-head">
        <h2>
          {name} {isExpired && <span class="badge bad">{texts.keys.expired}</span>}
        </h2>
        <div class="card-actions">
          {may.has('update') && (
            <IconButton label={`${texts.keys.change}: ${name}`} icon="edit" onClick={() => onOpen('change')} />
          )}
          {may.has('delete') && (
            <IconButton label={`${texts.keys.delete}: ${name}`} icon="trash" onClick={() => onOpen('delete')} />
          )}
        </div>
      </div>
      {key.description !== null && <p class="muted">{key.description}</p>}
      <dl class="facts">
        <Fact name={texts.keys.key}>
          <HiddenKey text={key.key} name={name} />
        </Fact>
        <Fact name={texts.keys.uid}>
          <code>{key.uid}</code>
        </Fact>
        <Fact name={texts.keys.facts.actions}>
          <Words words={key.actions} none={texts.keys.noActions} explain={textOf} />
        </Fact>
        <Fact name={texts.keys.facts.indexes}>
          <Words words={key.indexes} none={texts.keys.noIndexes} />
        </Fact>
        <Fact name={texts.keys.facts.expires}>
          {key.expiresAt === null ? texts.keys.neverExpires : <Moment of={key.expiresAt} />}
        </Fact>
        <Fact name={texts.keys.facts.created}>
          <Moment of={key.createdAt} />
        </Fact>
        {String(key.updatedAt) !== String(key.createdAt) && (
          <Fact name={texts.keys.facts.updated}>
            <Moment of={key.updatedAt} />
          </Fact>
        )}
      </dl>
    </li>
  )
}

const nameOf = ({ name }: Key): string => name ?? texts.keys.unnamed

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Moment({ of }: { of: Date | string }) {
  const iso = new Date(of).toISOString()
  return <time dateTime={iso}>{texts.moment(iso)}</time>
}

interface WordsProps {
  readonly words: readonly string[]
  readonly none: string
  explain?(word: string): string | undefined
}

function Words({ words, none, explain }: WordsProps) {
  if (words.length === 0) return <>{none}</>
  return (
    <ul class="chips">
      {words.map((word, i) => (
        <li key={i} title={explain?.(word)}>
          <code>{word}</code>
        </li>
      ))}
    </ul>
  )
}

/** Somebody may be looking over a shoulder. */
function HiddenKey({ text, name }: { text: string; name: string }) {
  const [isShown, setShown] = useState(false)
  return (
    <span class="hidden-key">
      <code>{isShown ? text : '•'.repeat(16)}</code>
      <button
        type="button"
        class="link"
        aria-expanded={isShown}
        aria-label={`${isShown ? texts.keys.hide : texts.keys.show}: ${name}`}
        onClick={() => setShown(!isShown)}
      >
        {isShown ? texts.keys.hide : texts.keys.show}
      </button>
      <CopyButton text={text} label={`${texts.common.copy}: ${name}`} />
    </span>
  )
}

function DeleteKey({ of: key, onDeleted, onClose }: { of: Key; onDeleted(): void; onClose(): void }) {
  const [isBusy, setBusy] = useState(false)
  const remove = async () => {
    setBusy(true)
    try {
      await client.value.deleteKey(key.uid)
      sayDone(texts.keys.deleted)
      onDeleted()
      focusMain()
    } catch (error) {
      sayFailed(error)
    }
    onClose()
  }
  return (
    <Confirm
      title={texts.keys.deleteTitle}
      text={texts.keys.deleteText(nameOf(key))}
      action={texts.keys.delete}
      isBusy={isBusy}
      onConfirm={() => void remove()}
      onClose={onClose}
    />
  )
}
