import { useId, useState } from 'preact/hooks'
import { Button } from '../parts/button.js'
import { Dialog } from '../parts/dialog.js'
import { TextField } from '../parts/field.js'
import { sayDone } from '../parts/toasts.js'
import { ask } from '../server/client.js'
import { type Failure, failureOf } from '../server/failure.js'
import { texts } from '../texts/index.js'
import { Pairs } from './pairs.js'

export interface Webhook {
  readonly uuid: string
  readonly url: string
  /** Values of `Authorization` are hidden but for their beginning. */
  readonly headers?: Readonly<Record<string, string>>
  readonly isEditable: boolean
}

interface Header {
  readonly name: string
  readonly value: string
}

interface WebhookFormProps {
  /** The one to change; a new one without it. */
  readonly of?: Webhook
  onSaved(): void
  onClose(): void
}

export function WebhookForm({ of: before, onSaved, onClose }: WebhookFormProps) {
  const [url, setUrl] = useState(before?.url ?? '')
  const [headers, setHeaders] = useState<readonly Header[]>(
    Object.entries(before?.headers ?? {}).map(([name, value]) => ({ name, value })),
  )
  const [failure, setFailure] = useState<Failure | undefined>()
  const [isBusy, setBusy] = useState(false)
  const form = useId()
  const save = async () => {
    setBusy(true)
    try {
      const body = { url, headers: changedHeaders(before?.headers ?? {}, headers) }
      await (before === undefined
        ? ask('post', 'webhooks', { body })
        : ask('patch', `webhooks/${before.uuid}`, { body }))
      sayDone(texts.keys.saved)
      onSaved()
      onClose()
    } catch (error) {
      setFailure(failureOf(error))
      setBusy(false)
    }
  }
  const said = failure && `${failure.message} (${failure.code})`
  const isOfUrl = failure?.code === 'invalid_webhook_url'
  const actions = (
    <>
      <Button onClick={onClose}>{texts.common.cancel}</Button>
      <Button kind="primary" type="submit" form={form} isBusy={isBusy}>
        {texts.keys.save}
      </Button>
    </>
  )
  return (
    <Dialog
      title={before === undefined ? texts.keys.webhook.new : texts.keys.webhook.change}
      onClose={onClose}
      actions={actions}
    >
      <form
        id={form}
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <TextField
          label={texts.keys.webhook.url}
          help={texts.keys.webhook.urlHelp}
          error={isOfUrl ? said : undefined}
          value={url}
          isCode
          required
          placeholder="https://"
          onText={setUrl}
        />
        <Headers headers={headers} onHeaders={setHeaders} />
        {said !== undefined && !isOfUrl && (
          <p class="form-error" role="alert">
            {said}
          </p>
        )}
      </form>
    </Dialog>
  )
}

/** What was left as it came is not sent: hidden values would be taken for new ones. Null takes one away. */
function changedHeaders(
  before: Readonly<Record<string, string>>,
  after: readonly Header[],
): Record<string, string | null> {
  const kept = new Map(after.filter(({ name }) => name.trim() !== '').map(({ name, value }) => [name.trim(), value]))
  const lost = Object.keys(before).filter((name) => !kept.has(name))
  const changed = [...kept].filter(([name, value]) => before[name] !== value)
  return Object.fromEntries([...lost.map((name) => [name, null] as const), ...changed])
}

function Headers({ headers, onHeaders }: { headers: readonly Header[]; onHeaders(headers: readonly Header[]): void }) {
  return (
    <Pairs
      legend={texts.keys.webhook.headers}
      help={texts.keys.webhook.headersHelp}
      items={headers}
      empty={{ name: '', value: '' }}
      addText={texts.keys.webhook.addHeader}
      removeText={({ name }) => texts.keys.webhook.removeHeader(name)}
      onItems={onHeaders}
      draw={({ name, value }, change) => (
        <>
          <TextField label={texts.keys.webhook.header} value={name} isCode onText={(name) => change({ name })} />
          <TextField
            label={texts.keys.webhook.headerValue}
            value={value}
            isCode
            onText={(value) => change({ value })}
          />
        </>
      )}
    />
  )
}
