import { useEffect, useState } from 'preact/hooks'
import { Code } from '../parts/code.js'
import { TextArea, TextField } from '../parts/field.js'
import { texts } from '../texts/index.js'
import { fits, type ReadToken, readToken } from './token.js'

export function TokenReader() {
  const [token, setToken] = useState('')
  const [key, setKey] = useState('')
  const read = token.trim() === '' ? undefined : readToken(token)
  const isUnreadable = token.trim() !== '' && read === undefined
  return (
    <div class="card form">
      <h2>{texts.keys.decode}</h2>
      <TextArea
        label={texts.keys.token.token}
        help={texts.keys.decodeHelp}
        error={isUnreadable ? texts.keys.token.unreadable : undefined}
        rows={4}
        isCode
        value={token}
        onText={setToken}
      />
      {read !== undefined && (
        <>
          <Facts of={read} />
          <TextField
            label={texts.keys.token.verifyKey}
            help={texts.keys.token.verifyHelp}
            isSecret
            value={key}
            onText={setKey}
          />
          <Signature token={token} secret={key} />
        </>
      )}
    </div>
  )
}

function Facts({ of: { header, payload, end } }: { of: ReadToken }) {
  const isOver = end !== undefined && end.getTime() < Date.now()
  return (
    <>
      <p class={isOver ? 'bad' : ''}>{isOver ? texts.keys.token.expiredAt(shown(end)) : endText(end)}</p>
      <h3>{texts.keys.token.header}</h3>
      <Code label={texts.keys.token.header} text={JSON.stringify(header, null, 2)} />
      <h3>{texts.keys.token.payload}</h3>
      <Code label={texts.keys.token.payload} text={JSON.stringify(payload, null, 2)} />
    </>
  )
}

const endText = (end: Date | undefined): string =>
  end === undefined ? texts.keys.token.noExpiry : texts.keys.token.validUntil(shown(end))

/** A number of seconds can be so large that no calendar has it. */
const shown = (end: Date): string => (Number.isNaN(end.getTime()) ? '∞' : texts.moment(end.toISOString()))

function Signature({ token, secret }: { token: string; secret: string }) {
  const [isFitting, setFitting] = useState<boolean | undefined>()
  useEffect(() => {
    let isCurrent = true
    setFitting(undefined)
    if (secret !== '') void fits(token, secret).then((found) => isCurrent && setFitting(found))
    return () => {
      isCurrent = false
    }
  }, [token, secret])
  return (
    <p role="status" class={isFitting ? 'good' : 'bad'}>
      {isFitting !== undefined && (isFitting ? texts.keys.token.fits : texts.keys.token.fitsNot)}
    </p>
  )
}
