import { useState } from 'preact/hooks'
import { Button, IconButton } from '../parts/button.js'
import { Confirm } from '../parts/dialog.js'
import { Empty, Face } from '../parts/faces.js'
import { Facts } from '../parts/facts.js'
import { focusMain } from '../parts/focus.js'
import { sayDone, sayFailed } from '../parts/toasts.js'
import { Value } from '../parts/value.js'
import { ask } from '../server/client.js'
import { useLoaded } from '../server/loaded.js'
import { useMay } from '../server/may.js'
import { texts } from '../texts/index.js'
import { type Webhook, WebhookForm } from './webhook-form.js'

const WRONG = {
  create: { method: 'post', path: 'webhooks', body: {} },
  update: { method: 'patch', path: 'webhooks/nothing', body: {} },
  delete: { method: 'delete', path: 'webhooks/nothing' },
} as const

type Open = { readonly what: 'new' } | { readonly what: 'change' | 'delete'; readonly webhook: Webhook }

export function Webhooks() {
  const may = useMay(WRONG)
  const loading = useLoaded((signal) => ask<{ results: Webhook[] }>('get', 'webhooks', { signal }), [])
  const [open, setOpen] = useState<Open | undefined>()
  const close = () => setOpen(undefined)
  return (
    <section class="keys-section" aria-label={texts.keys.tabs.webhooks}>
      {may.has('create') && (
        <div class="keys-head">
          <Button kind="primary" icon="plus" onClick={() => setOpen({ what: 'new' })}>
            {texts.keys.webhook.new}
          </Button>
        </div>
      )}
      <Face loading={loading}>
        {({ results }) =>
          results.length === 0 ? (
            <Empty icon="server" title={texts.keys.webhook.empty}>
              <p class="muted">{texts.keys.webhook.emptyHelp}</p>
            </Empty>
          ) : (
            <ul class="key-cards">
              {results.map((webhook) => (
                <WebhookCard
                  key={webhook.uuid}
                  webhook={webhook}
                  may={may}
                  onOpen={(what) => setOpen({ what, webhook })}
                />
              ))}
            </ul>
          )
        }
      </Face>
      {open?.what === 'new' && <WebhookForm onSaved={loading.reload} onClose={close} />}
      {open?.what === 'change' && <WebhookForm of={open.webhook} onSaved={loading.reload} onClose={close} />}
      {open?.what === 'delete' && <DeleteWebhook of={open.webhook} onDeleted={loading.reload} onClose={close} />}
    </section>
  )
}

interface WebhookCardProps {
  readonly webhook: Webhook
  readonly may: ReadonlySet<keyof typeof WRONG>
  onOpen(what: 'change' | 'delete'): void
}

function WebhookCard({ webhook: { url, uuid, headers = {}, isEditable }, may, onOpen }: WebhookCardProps) {
  const entries = Object.entries(headers)
  return (
    <li class="card" aria-label={url}>
      <div class="card-head">
        <h2>
          <Value value={url} /> {!isEditable && <span class="badge">{texts.keys.webhook.fixed}</span>}
        </h2>
        <div class="card-actions">
          {isEditable && may.has('update') && (
            <IconButton label={`${texts.keys.change}: ${url}`} icon="edit" onClick={() => onOpen('change')} />
          )}
          {isEditable && may.has('delete') && (
            <IconButton label={`${texts.keys.delete}: ${url}`} icon="trash" onClick={() => onOpen('delete')} />
          )}
        </div>
      </div>
      {entries.length === 0 ? <p class="muted">{texts.keys.webhook.noHeaders}</p> : <Facts entries={entries} />}
      <p class="muted">
        {texts.keys.uid} <code>{uuid}</code>
      </p>
    </li>
  )
}

function DeleteWebhook({ of: webhook, onDeleted, onClose }: { of: Webhook; onDeleted(): void; onClose(): void }) {
  const [isBusy, setBusy] = useState(false)
  const remove = async () => {
    setBusy(true)
    try {
      await ask('delete', `webhooks/${webhook.uuid}`)
      sayDone(texts.keys.webhook.deleted)
      onDeleted()
      focusMain()
    } catch (error) {
      sayFailed(error)
    }
    onClose()
  }
  return (
    <Confirm
      title={texts.keys.webhook.deleteTitle}
      text={texts.keys.webhook.deleteText(webhook.url)}
      action={texts.keys.delete}
      isBusy={isBusy}
      onConfirm={() => void remove()}
      onClose={onClose}
    />
  )
}
