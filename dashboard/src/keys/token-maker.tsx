import type { Key } from 'meilisearch'
import { useState } from 'preact/hooks'
import { Button } from '../parts/button.js'
import { Code } from '../parts/code.js'
import { Select, TextField } from '../parts/field.js'
import { sayFailed } from '../parts/toasts.js'
import { client } from '../server/client.js'
import { useLoaded } from '../server/loaded.js'
import { texts } from '../texts/index.js'
import { type Expiry, ExpiryField, endOf } from './expiry.js'
import { Pairs } from './pairs.js'
import { signToken, type TokenRule } from './token.js'

interface Signer {
  readonly uid: string
  readonly key: string
}

const NOBODY: Signer = { uid: '', key: '' }
const NO_RULE: TokenRule = { pattern: '', filter: '' }
const A_DAY: Expiry = { choice: '1', date: '' }
const UID = /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i

export function TokenMaker() {
  const [signer, setSigner] = useState(NOBODY)
  const [rules, setRules] = useState<readonly TokenRule[]>([{ ...NO_RULE, pattern: '*' }])
  const [expiry, setExpiry] = useState(A_DAY)
  const [token, setToken] = useState('')
  const isWrongUid = signer.uid !== '' && !UID.test(signer.uid)
  const isComplete = UID.test(signer.uid) && signer.key !== '' && rules.some(({ pattern }) => pattern.trim() !== '')
  const make = async () => {
    const claims = {
      apiKeyUid: signer.uid,
      rules: rules.filter(({ pattern }) => pattern.trim() !== ''),
      end: endOf(expiry),
    }
    try {
      setToken(await signToken(claims, signer.key))
    } catch (error) {
      sayFailed(error)
    }
  }
  return (
    <form
      class="card form"
      onSubmit={(event) => {
        event.preventDefault()
        void make()
      }}
    >
      <h2>{texts.keys.token.makeTitle}</h2>
      <SignerFields signer={signer} isWrongUid={isWrongUid} onSigner={setSigner} />
      <Rules rules={rules} onRules={setRules} />
      <ExpiryField expiry={expiry} help={texts.keys.token.expiryHelp} onExpiry={setExpiry} />
      <Button kind="primary" type="submit" disabled={!isComplete}>
        {texts.keys.token.make}
      </Button>
      <div role="status" class="made-token">
        {token !== '' && <Code label={texts.keys.token.made} text={token} />}
      </div>
    </form>
  )
}

interface SignerFieldsProps {
  readonly signer: Signer
  readonly isWrongUid: boolean
  onSigner(signer: Signer): void
}

/** One of the keys of the list, or another one. */
function SignerFields({ signer, isWrongUid, onSigner }: SignerFieldsProps) {
  const known = useSigners()
  const chosen = known.find(({ uid }) => uid === signer.uid)
  const choices = [
    { value: '', text: texts.keys.token.byOther },
    ...known.map(({ uid, name }) => ({ value: uid, text: name ?? uid })),
  ]
  return (
    <>
      {known.length > 0 && (
        <Select
          label={texts.keys.token.by}
          help={texts.keys.token.byHelp}
          value={chosen?.uid ?? ''}
          choices={choices}
          onChoose={(uid) => onSigner(known.find((key) => key.uid === uid) ?? NOBODY)}
        />
      )}
      {chosen === undefined && (
        <>
          <TextField
            label={texts.keys.token.uid}
            error={isWrongUid ? texts.keys.token.wrongUid : undefined}
            value={signer.uid}
            isCode
            required
            onText={(uid) => onSigner({ ...signer, uid })}
          />
          <TextField
            label={texts.keys.token.secretKey}
            help={known.length === 0 ? texts.keys.token.byHelp : undefined}
            value={signer.key}
            isSecret
            required
            onText={(key) => onSigner({ ...signer, key })}
          />
        </>
      )}
    </>
  )
}

const MOST_KEYS = 1000
const SEARCHES = ['*', '*.get', 'search', 'chatCompletions']

/** Keys that may search; none where the key may not list them. */
function useSigners(): readonly Key[] {
  const { latest } = useLoaded(() => client.value.getKeys({ limit: MOST_KEYS }).catch(() => undefined), [])
  return (latest?.results ?? []).filter(({ actions }) => actions.some((action) => SEARCHES.includes(action)))
}

function Rules({ rules, onRules }: { rules: readonly TokenRule[]; onRules(rules: readonly TokenRule[]): void }) {
  return (
    <Pairs
      legend={texts.keys.token.rules}
      items={rules}
      empty={NO_RULE}
      addText={texts.keys.token.addRule}
      removeText={({ pattern }) => texts.keys.token.removeRule(pattern)}
      onItems={onRules}
      draw={({ pattern, filter }, change) => (
        <>
          <TextField
            label={texts.keys.token.pattern}
            help={texts.keys.token.patternHelp}
            value={pattern}
            isCode
            onText={(pattern) => change({ pattern })}
          />
          <TextField
            label={texts.keys.token.filter}
            help={texts.keys.token.filterHelp}
            value={filter}
            isCode
            onText={(filter) => change({ filter })}
          />
        </>
      )}
    />
  )
}
