import { useEffect, useState } from 'preact/hooks'
import { Button } from '../parts/button.js'
import { Confirm, Dialog } from '../parts/dialog.js'
import { Failed, Waiting } from '../parts/faces.js'
import { Select, TextArea, TextField } from '../parts/field.js'
import { sayDone, sayFailed } from '../parts/toasts.js'
import { ask } from '../server/client.js'
import { type Failure, failureOf } from '../server/failure.js'
import { texts } from '../texts/index.js'

const SOURCES = ['openAi', 'azureOpenAi', 'mistral', 'gemini', 'vLlm']
const PLAIN = ['baseUrl', 'orgId', 'projectId', 'apiVersion', 'deploymentId'] as const
const PROMPTS = ['system', 'searchDescription', 'searchQParam', 'searchFilterParam', 'searchIndexUidParam'] as const

interface Settings {
  readonly source: string
  readonly apiKey: string | null
  readonly prompts: Readonly<Record<(typeof PROMPTS)[number], string | null>>
}

type AllSettings = Settings & Readonly<Record<(typeof PLAIN)[number], string | null>>

const NO_SETTINGS: AllSettings = {
  ...{
    source: 'openAi',
    apiKey: null,
    baseUrl: null,
    orgId: null,
    projectId: null,
    apiVersion: null,
    deploymentId: null,
  },
  prompts: {
    system: null,
    searchDescription: null,
    searchQParam: null,
    searchFilterParam: null,
    searchIndexUidParam: null,
  },
}

interface WorkspaceFormProps {
  /** Empty: a new one. */
  readonly workspace: string
  onSaved(uid: string): void
  onDeleted(): void
  onClose(): void
}

/** Who answers, and what it is told. */
export function WorkspaceForm({ workspace, onSaved, onDeleted, onClose }: WorkspaceFormProps) {
  const isNew = workspace === ''
  const [uid, setUid] = useState(workspace)
  const [before, setBefore] = useState<AllSettings | undefined>(isNew ? NO_SETTINGS : undefined)
  const [changes, setChanges] = useState<Partial<AllSettings>>({})
  const [key, setKey] = useState('')
  const [failure, setFailure] = useState<Failure | undefined>()
  const [isDeleting, setDeleting] = useState(false)
  useEffect(() => {
    if (!isNew)
      ask<AllSettings>('get', `chats/${workspace}/settings`).then(setBefore, (error) => setFailure(failureOf(error)))
  }, [workspace, isNew])
  const save = async () => {
    try {
      const body = { ...changes, ...(key === '' ? {} : { apiKey: key }) }
      await ask('patch', `chats/${encodeURIComponent(uid)}/settings`, { body })
      sayDone(texts.chat.saved(uid))
      onSaved(uid)
    } catch (error) {
      setFailure(failureOf(error))
    }
  }
  const remove = async () => {
    try {
      await ask('delete', `chats/${encodeURIComponent(uid)}`)
      onDeleted()
    } catch (error) {
      sayFailed(error)
    }
  }
  if (isDeleting)
    return (
      <Confirm
        title={texts.chat.remove}
        text={texts.chat.removeText(uid)}
        action={texts.chat.remove}
        onConfirm={() => void remove()}
        onClose={() => setDeleting(false)}
      />
    )
  const actions = (
    <>
      {!isNew && (
        <Button kind="danger" icon="trash" onClick={() => setDeleting(true)}>
          {texts.chat.remove}
        </Button>
      )}
      <Button kind="primary" disabled={uid === ''} onClick={() => void save()}>
        {texts.chat.save}
      </Button>
    </>
  )
  return (
    <Dialog
      title={isNew ? texts.chat.make : texts.chat.settingsOf(workspace)}
      onClose={onClose}
      actions={actions}
      isSheet
    >
      {failure !== undefined && <Failed failure={failure} />}
      {isNew && <TextField label={texts.chat.uid} value={uid} onText={setUid} isCode required />}
      {before === undefined ? (
        failure === undefined && <Waiting />
      ) : (
        <Members
          settings={{ ...before, ...changes }}
          apiKey={key}
          onKey={setKey}
          onChange={(next) => setChanges((before) => ({ ...before, ...next }))}
        />
      )}
    </Dialog>
  )
}

interface MembersProps {
  readonly settings: AllSettings
  readonly apiKey: string
  onKey(key: string): void
  onChange(changes: Partial<AllSettings>): void
}

function Members({ settings, apiKey, onKey, onChange }: MembersProps) {
  return (
    <>
      <Select
        label={texts.chat.members.source}
        value={settings.source}
        choices={SOURCES.map((value) => ({ value, text: value }))}
        onChoose={(source) => onChange({ source })}
      />
      <TextField
        label={texts.chat.members.apiKey}
        help={settings.apiKey === null ? undefined : texts.chat.keyKept(settings.apiKey)}
        value={apiKey}
        onText={onKey}
        isSecret
      />
      {PLAIN.map((name) => (
        <TextField
          key={name}
          label={texts.chat.members[name]}
          value={settings[name] ?? ''}
          onText={(text) => onChange({ [name]: text === '' ? null : text })}
          isCode
        />
      ))}
      {PROMPTS.map((name) => (
        <TextArea
          key={name}
          label={texts.chat.prompts[name]}
          value={settings.prompts[name] ?? ''}
          onText={(text) => onChange({ prompts: { ...settings.prompts, [name]: text === '' ? null : text } })}
        />
      ))}
    </>
  )
}
