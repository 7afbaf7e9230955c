import type { Key } from 'meilisearch'
import { useId, useState } from 'preact/hooks'
import { Button } from '../parts/button.js'
import { Dialog } from '../parts/dialog.js'
import { TextArea, TextField } from '../parts/field.js'
import { ask } from '../server/client.js'
import { type Failure, failureOf } from '../server/failure.js'
import { texts } from '../texts/index.js'
import { type Action, GROUPS, isGranted } from './actions.js'
import { type Expiry, ExpiryField, endOf, NEVER } from './expiry.js'

interface Draft {
  readonly name: string
  readonly description: string
  readonly actions: ReadonlySet<Action>
  readonly indexes: string
  readonly expiry: Expiry
}

const FIRST: Draft = { name: '', description: '', actions: new Set(['search']), indexes: '*', expiry: NEVER }

export function NewKey({ onMade, onClose }: { onMade(key: Key): void; onClose(): void }) {
  const [draft, setDraft] = useState(FIRST)
  const [failure, setFailure] = useState<Failure | undefined>()
  const [isBusy, setBusy] = useState(false)
  const form = useId()
  const change = (changes: Partial<Draft>) => setDraft({ ...draft, ...changes })
  const make = async () => {
    setBusy(true)
    try {
      onMade(await ask<Key>('post', 'keys', { body: bodyOf(draft) }))
    } catch (error) {
      setFailure(failureOf(error))
      setBusy(false)
    }
  }
  const errorAt = (field: string) => (placeOf(failure) === field ? `${failure!.message} (${failure!.code})` : undefined)
  const actions = (
    <>
      <Button onClick={onClose}>{texts.common.cancel}</Button>
      <Button kind="primary" type="submit" form={form} isBusy={isBusy} disabled={draft.actions.size === 0}>
        {texts.keys.make}
      </Button>
    </>
  )
  return (
    <Dialog title={texts.keys.newKey} onClose={onClose} actions={actions} isSheet>
      <form
        id={form}
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          void make()
        }}
      >
        <TextField label={texts.keys.name} value={draft.name} onText={(name) => change({ name })} />
        <TextArea
          label={texts.keys.description}
          rows={2}
          value={draft.description}
          onText={(description) => change({ description })}
        />
        <TextField
          label={texts.keys.indexes}
          help={texts.keys.indexesHelp}
          error={errorAt('indexes')}
          value={draft.indexes}
          isCode
          required
          onText={(indexes) => change({ indexes })}
        />
        <ExpiryField expiry={draft.expiry} error={errorAt('expiresAt')} onExpiry={(expiry) => change({ expiry })} />
        <Actions chosen={draft.actions} onChosen={(chosen) => change({ actions: chosen })} />
        {errorAt('form') !== undefined && (
          <p class="form-error" role="alert">
            {errorAt('form')}
          </p>
        )}
      </form>
    </Dialog>
  )
}

const bodyOf = ({ name, description, actions, indexes, expiry }: Draft) => ({
  name: name || null,
  description: description || null,
  actions: [...actions],
  indexes: indexes.split(/[\s,]+/).filter((pattern) => pattern !== ''),
  expiresAt: endOf(expiry)?.toISOString() ?? null,
})

/** Which field the server did not like. */
function placeOf(failure: Failure | undefined): string | undefined {
  if (failure === undefined) return undefined
  const fields: Record<string, string> = {
    invalid_api_key_indexes: 'indexes',
    index_scoped_api_key_with_global_action: 'indexes',
    invalid_api_key_expires_at: 'expiresAt',
  }
  return fields[failure.code] ?? 'form'
}

interface ActionsProps {
  readonly chosen: ReadonlySet<Action>
  onChosen(chosen: ReadonlySet<Action>): void
}

function Actions({ chosen, onChosen }: ActionsProps) {
  const toggle = (action: Action) => {
    const next = new Set(chosen)
    if (!next.delete(action)) next.add(action)
    onChosen(next)
  }
  return (
    <fieldset class="actions">
      <legend>{texts.keys.actions}</legend>
      <p class="help">{texts.keys.actionsHelp}</p>
      {GROUPS.map(({ name, actions }) => (
        <fieldset key={name} class="action-group">
          <legend>{texts.keys.groups[name]}</legend>
          {actions.map((action) => (
            <ActionBox
              key={action}
              action={action}
              isChosen={chosen.has(action)}
              isGranted={isGranted(action, chosen)}
              onToggle={() => toggle(action)}
            />
          ))}
        </fieldset>
      ))}
    </fieldset>
  )
}

interface ActionBoxProps {
  readonly action: Action
  readonly isChosen: boolean
  /** By a wildcard: choosing it changes nothing. */
  readonly isGranted: boolean
  onToggle(): void
}

function ActionBox({ action, isChosen, isGranted, onToggle }: ActionBoxProps) {
  const id = useId()
  return (
    <div class="action">
      <input
        id={id}
        type="checkbox"
        checked={isChosen || isGranted}
        disabled={isGranted && !isChosen}
        aria-describedby={`${id}-help`}
        onChange={onToggle}
      />
      <label for={id}>
        <code>{action}</code>
      </label>
      <p id={`${id}-help`} class="help">
        {texts.keys.actionTexts[action]} {isGranted && <em>{`(${texts.keys.granted})`}</em>}
      </p>
    </div>
  )
}
