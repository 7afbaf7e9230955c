import { useState } from 'preact/hooks'
import { Button } from '../parts/button.js'
import { Dialog } from '../parts/dialog.js'
import { TextArea } from '../parts/field.js'
import { sayDone } from '../parts/toasts.js'
import { failureOf } from '../server/failure.js'
import { texts } from '../texts/index.js'
import { storeDocument } from './changes.js'
import { problemOf } from './document-text.js'

export interface EditorProps {
  readonly index: string
  readonly primaryKey: string | null
  /** Undefined for a new one. */
  readonly id: string | undefined
  /** What it starts with. */
  readonly text: string
  onStored(): void
  onClose(): void
}

/** A document as JSON. It is looked at before it is sent; what the server says about it stands beside it too. */
export function Editor({ index, primaryKey, id, text: before, onStored, onClose }: EditorProps) {
  const [text, setText] = useState(before)
  const [error, setError] = useState<string | undefined>()
  const [isBusy, setBusy] = useState(false)
  const store = async () => {
    const problem = problemOf(text, primaryKey, id)
    setError(problem)
    if (problem !== undefined) return
    setBusy(true)
    try {
      const outcome = await storeDocument(index, text)
      const done = id === undefined ? texts.documents.added : texts.documents.stored(id)
      sayDone(outcome === 'done' ? done : texts.documents.sent)
      onStored()
    } catch (failed) {
      const { message, code } = failureOf(failed)
      setError(code === 'page_error' ? message : `${message} (${code})`)
      setBusy(false)
    }
  }
  const actions = (
    <>
      <Button onClick={onClose}>{texts.common.cancel}</Button>
      <Button kind="primary" isBusy={isBusy} disabled={text === before} onClick={() => void store()}>
        {id === undefined ? texts.documents.add : texts.documents.store}
      </Button>
    </>
  )
  const title = id === undefined ? texts.documents.addTitle(index) : texts.documents.editTitle(id)
  return (
    <Dialog title={title} onClose={onClose} actions={actions} isSheet>
      <div class="editor">
        <TextArea
          label={texts.documents.json}
          help={id === undefined ? texts.documents.addHelp : texts.documents.editHelp}
          error={error}
          value={text}
          rows={24}
          isCode
          onText={setText}
        />
      </div>
    </Dialog>
  )
}
