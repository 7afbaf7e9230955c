import type { Key } from 'meilisearch'
import { useState } from 'preact/hooks'
import { Button } from '../parts/button.js'
import { Dialog } from '../parts/dialog.js'
import { TextArea, TextField } from '../parts/field.js'
import { sayDone, sayFailed } from '../parts/toasts.js'
import { ask } from '../server/client.js'
import { texts } from '../texts/index.js'

/** Nothing else of a key can be changed. */
export function ChangeKey({ of: key, onSaved, onClose }: { of: Key; onSaved(): void; onClose(): void }) {
  const [name, setName] = useState(key.name ?? '')
  const [description, setDescription] = useState(key.description ?? '')
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      await ask('patch', `keys/${key.uid}`, { body: { name: name || null, description: description || null } })
      sayDone(texts.keys.saved)
      onSaved()
      onClose()
    } catch (error) {
      sayFailed(error)
      setBusy(false)
    }
  }
  const actions = (
    <>
      <Button onClick={onClose}>{texts.common.cancel}</Button>
      <Button kind="primary" isBusy={isBusy} onClick={() => void save()}>
        {texts.keys.save}
      </Button>
    </>
  )
  return (
    <Dialog title={texts.keys.changeTitle} onClose={onClose} actions={actions}>
      <TextField label={texts.keys.name} value={name} onText={setName} />
      <TextArea label={texts.keys.description} rows={3} value={description} onText={setDescription} />
    </Dialog>
  )
}
