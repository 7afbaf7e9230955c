import type { Key } from 'meilisearch'
import { Button } from '../parts/button.js'
import { Code } from '../parts/code.js'
import { Dialog } from '../parts/dialog.js'
import { texts } from '../texts/index.js'

export function KeyMade({ made, onClose }: { made: Key; onClose(): void }) {
  const actions = (
    <Button kind="primary" onClick={onClose}>
      {texts.keys.done}
    </Button>
  )
  return (
    <Dialog title={texts.keys.made} onClose={onClose} actions={actions}>
      <p>{texts.keys.madeHelp}</p>
      <Code label={texts.keys.key} text={made.key} />
      <p class="muted">
        {texts.keys.uid} <code>{made.uid}</code>
      </p>
    </Dialog>
  )
}
