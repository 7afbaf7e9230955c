import { useMemo, useState } from 'preact/hooks'
import { Button } from '../parts/button.js'
import { Confirm, Dialog } from '../parts/dialog.js'
import { Face } from '../parts/faces.js'
import { Facts } from '../parts/facts.js'
import { TextField } from '../parts/field.js'
import { sayDone, sayFailed } from '../parts/toasts.js'
import { useLoaded } from '../server/loaded.js'
import { texts } from '../texts/index.js'
import { removeDocument } from './changes.js'
import type { Document } from './columns.js'
import { indented, readDocumentText } from './document-text.js'
import { Editor } from './editor.js'

/** More at once would stall the page; the rest takes a click, or a part of a name. */
const FIELDS_AT_ONCE = 100

export interface DocumentSheetProps {
  readonly index: string
  readonly id: string
  readonly primaryKey: string | null
  readonly allowed: ReadonlySet<'add' | 'delete'>
  /** It was changed, or is gone. */
  onChanged(): void
  onClose(): void
}

export function DocumentSheet({ index, id, primaryKey, allowed, onChanged, onClose }: DocumentSheetProps) {
  const loading = useLoaded((signal) => readDocumentText(index, id, signal), [index, id])
  const [step, setStep] = useState<'read' | 'edit' | 'delete'>('read')
  const read = () => setStep('read')
  const text = loading.loaded.state === 'full' ? loading.loaded.value : undefined
  const actions = text !== undefined && allowed.size > 0 && (
    <>
      {allowed.has('delete') && (
        <Button kind="danger" icon="trash" onClick={() => setStep('delete')}>
          {texts.documents.delete}
        </Button>
      )}
      {allowed.has('add') && (
        <Button icon="edit" onClick={() => setStep('edit')}>
          {texts.documents.edit}
        </Button>
      )}
    </>
  )
  return (
    <>
      <Dialog title={id} onClose={onClose} isSheet actions={actions || undefined}>
        <Face loading={loading}>{(found) => <Fields text={found} />}</Face>
      </Dialog>
      {step === 'edit' && text !== undefined && (
        <Editor
          index={index}
          primaryKey={primaryKey}
          id={id}
          text={indented(text)}
          onStored={() => {
            read()
            loading.reload()
            onChanged()
          }}
          onClose={read}
        />
      )}
      {step === 'delete' && <Delete index={index} id={id} onClose={read} onDeleted={() => [onClose(), onChanged()]} />}
    </>
  )
}

function Fields({ text }: { text: string }) {
  const [part, setPart] = useState('')
  const [shown, setShown] = useState(FIELDS_AT_ONCE)
  const fields = useMemo(() => Object.entries(JSON.parse(text) as Document), [text])
  const found = fields.filter(([name]) => name.toLowerCase().includes(part.toLowerCase()))
  return (
    <>
      {fields.length > FIELDS_AT_ONCE && (
        <TextField label={texts.documents.findField(fields.length)} value={part} onText={setPart} />
      )}
      <Facts class="document-fields" entries={found.slice(0, shown)} />
      {found.length > shown && (
        <Button onClick={() => setShown(shown + FIELDS_AT_ONCE)}>
          {texts.documents.moreFields(found.length - shown)}
        </Button>
      )}
    </>
  )
}

function Delete({ index, id, onClose, onDeleted }: { index: string; id: string; onClose(): void; onDeleted(): void }) {
  const [isBusy, setBusy] = useState(false)
  const remove = async () => {
    setBusy(true)
    try {
      const outcome = await removeDocument(index, id)
      sayDone(outcome === 'done' ? texts.documents.deleted(id) : texts.documents.sent)
      onDeleted()
    } catch (error) {
      sayFailed(error)
      onClose()
    }
  }
  return (
    <Confirm
      title={texts.documents.deleteTitle(id)}
      text={texts.documents.deleteText}
      action={texts.documents.delete}
      isBusy={isBusy}
      onConfirm={() => void remove()}
      onClose={onClose}
    />
  )
}
