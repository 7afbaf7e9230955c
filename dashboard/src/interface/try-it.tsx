import { useState } from 'preact/hooks'
import { Button } from '../parts/button.js'
import { Code } from '../parts/code.js'
import { Confirm } from '../parts/dialog.js'
import { Select, TextArea, TextField } from '../parts/field.js'
import { access } from '../server/overview.js'
import { texts } from '../texts/index.js'
import { AnswerShown, useSending } from './answer.js'
import type { Description, Operation, Parameter } from './description.js'
import { addressOf, curlOf, type Draft, firstBody, hasBody, keyOf } from './request.js'

/** The operation, filled in and sent with the key of this page. */
export function TryIt({ operation, description }: { operation: Operation; description: Description }) {
  const [draft, setDraft] = useState(() => firstDraft(operation, description))
  const [isAsking, setAsking] = useState(false)
  const sending = useSending(operation)
  const change = (changes: Partial<Draft>) => setDraft({ ...draft, ...changes })
  const isDeleting = operation.method === 'DELETE'
  return (
    <section class="try-it" aria-label={texts.interface.tryIt}>
      <h3>{texts.interface.tryIt}</h3>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isDeleting) setAsking(true)
          else sending.start(draft)
        }}
      >
        <ParameterFields of={operation} draft={draft} onDraft={change} />
        {hasBody(operation) && <BodyFields of={operation} draft={draft} onDraft={change} />}
        <div class="try-actions">
          <Button kind={isDeleting ? 'danger' : 'primary'} type="submit" isBusy={sending.isBusy}>
            {texts.interface.send}
          </Button>
          {sending.isBusy && <Button onClick={sending.stop}>{texts.interface.stop}</Button>}
        </div>
      </form>
      {isAsking && (
        <Confirm
          title={texts.interface.confirmTitle}
          text={texts.interface.confirmText(`DELETE ${addressOf(operation, draft)}`)}
          action={texts.interface.send}
          onClose={() => setAsking(false)}
          onConfirm={() => {
            setAsking(false)
            sending.start(draft)
          }}
        />
      )}
      <AnswerShown sending={sending} />
      <h4>{texts.interface.curl}</h4>
      <Code label={texts.interface.curl} text={curlOf(operation, draft)} />
    </section>
  )
}

/** With the first index there is, so that most can be sent as it stands. */
function firstDraft(operation: Operation, description: Description): Draft {
  const current = access.value
  const index = current.state === 'open' ? current.overview.indexes?.[0]?.uid : undefined
  const [bodyType = '', content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  const body = bodyType.endsWith('json') && content !== undefined ? firstBody(content.schema ?? {}, description) : ''
  return {
    values: index === undefined ? {} : { 'path index_uid': index },
    bodyType,
    body: body === '' ? '' : JSON.stringify(body, null, 2),
  }
}

interface FieldsProps {
  readonly of: Operation
  readonly draft: Draft
  onDraft(changes: Partial<Draft>): void
}

function ParameterFields({ of: { parameters = [] }, draft, onDraft }: FieldsProps) {
  return (
    <div class="try-fields">
      {parameters.map((parameter) => (
        <ParameterField
          key={keyOf(parameter)}
          of={parameter}
          value={draft.values[keyOf(parameter)] ?? ''}
          onValue={(value) => onDraft({ values: { ...draft.values, [keyOf(parameter)]: value } })}
        />
      ))}
    </div>
  )
}

function ParameterField({ of, value, onValue }: { of: Parameter; value: string; onValue(value: string): void }) {
  const { name, required = false, schema = {} } = of
  const choices = schema.type === 'boolean' ? ['true', 'false'] : schema.enum?.map(String)
  if (choices === undefined) return <TextField label={name} value={value} isCode required={required} onText={onValue} />
  return (
    <Select
      label={name}
      value={value}
      choices={[{ value: '', text: texts.interface.notSet }, ...choices.map((value) => ({ value, text: value }))]}
      onChoose={onValue}
    />
  )
}

function BodyFields({ of: { requestBody }, draft, onDraft }: FieldsProps) {
  const types = Object.keys(requestBody?.content ?? {})
  return (
    <>
      {types.length > 1 && (
        <Select
          label={texts.interface.bodyType}
          value={draft.bodyType}
          choices={types.map((value) => ({ value, text: value }))}
          onChoose={(bodyType) => onDraft({ bodyType })}
        />
      )}
      <TextArea
        label={texts.interface.body}
        isCode
        rows={8}
        error={wrongJson(draft)}
        value={draft.body}
        onText={(body) => onDraft({ body })}
      />
    </>
  )
}

/** Said before it is sent, and sent all the same if somebody wants to see what happens. */
function wrongJson({ bodyType, body }: Draft): string | undefined {
  if (!bodyType.endsWith('/json') || body === '') return undefined
  try {
    JSON.parse(body)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}
