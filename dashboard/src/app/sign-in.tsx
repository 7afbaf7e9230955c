import { useState } from 'preact/hooks'
import { Button } from '../parts/button.js'
import { TextField, Toggle } from '../parts/field.js'
import type { Failure } from '../server/failure.js'
import { apiKey, useKey } from '../server/session.js'
import { texts } from '../texts/index.js'

/** The server wants a key. */
export function SignIn({ failure }: { failure: Failure }) {
  const [key, setKey] = useState('')
  const [keep, setKeep] = useState(false)
  const wasRefused = apiKey.value !== null
  return (
    <main class="sign-in">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          useKey(key, keep)
        }}
      >
        <h1>Findling</h1>
        <p class="muted">{texts.signIn.why}</p>
        <TextField
          label={texts.signIn.key}
          isSecret
          value={key}
          onText={setKey}
          error={wasRefused ? `${failure.message} (${failure.code})` : undefined}
          required
        />
        <Toggle label={texts.signIn.keep} help={texts.signIn.keepHelp} isOn={keep} onToggle={setKeep} />
        <Button kind="primary" type="submit" disabled={key === ''}>
          {texts.signIn.enter}
        </Button>
      </form>
    </main>
  )
}
