import { useState } from 'preact/hooks'
import { LongText } from '../parts/value.js'
import { texts } from '../texts/index.js'
import { type Description, isDeep, resolved, type Schema, typeOf } from './description.js'

interface TreeProps {
  readonly schema: Schema
  readonly description: Description
}

/** What a body is made of. Parts are drawn when they are opened: some hold themselves. */
export function SchemaTree({ schema, description }: TreeProps) {
  const own = resolved(schema, description)
  if (own.items !== undefined) return <SchemaTree schema={own.items} description={description} />
  const choices = own.anyOf ?? own.oneOf
  if (choices !== undefined) return <Choices choices={choices} description={description} />
  const parts = [own, ...(own.allOf ?? []).map((part) => resolved(part, description))]
  const properties = parts.flatMap((part) =>
    Object.entries(part.properties ?? {}).map(
      ([name, property]) => [name, property, part.required?.includes(name) ?? false] as const,
    ),
  )
  const others = own.additionalProperties
  return (
    <ul class="schema">
      {properties.map(([name, property, isNeeded]) => (
        <Property key={name} name={name} schema={property} isNeeded={isNeeded} description={description} />
      ))}
      {typeof others === 'object' && (
        <Property name={texts.interface.otherKeys} schema={others} isNeeded={false} description={description} />
      )}
    </ul>
  )
}

function Choices({ choices, description }: { choices: readonly Schema[]; description: Description }) {
  const deep = choices.filter((choice) => isDeep(choice, description))
  if (deep.length === 1) return <SchemaTree schema={deep[0]!} description={description} />
  return (
    <>
      <p class="schema-type">{texts.interface.oneOf}</p>
      <ol class="schema">
        {choices.map((choice, i) => (
          <Property key={i} name={String(i + 1)} schema={choice} isNeeded={false} description={description} />
        ))}
      </ol>
    </>
  )
}

function Property({ name, schema, isNeeded, description }: TreeProps & { name: string; isNeeded: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const own = resolved(schema, description)
  const head = (
    <>
      <code class="schema-name">{name}</code> <span class="schema-type">{typeOf(schema)}</span>{' '}
      {isNeeded && <span class="badge">{texts.interface.needed}</span>}
    </>
  )
  return (
    <li>
      {isDeep(schema, description) ? (
        <details onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>{head}</summary>
          {isOpen && <SchemaTree schema={schema} description={description} />}
        </details>
      ) : (
        <p>{head}</p>
      )}
      <Notes schema={own} />
    </li>
  )
}

interface NotesProps {
  readonly schema: Schema
  /** Of a parameter, which says these beside its schema. */
  readonly text?: string | undefined
  readonly codes?: readonly string[] | undefined
}

/** What it means, and which values are taken. */
export function Notes({ schema, text = schema.description, codes = schema['x-error-codes'] ?? [] }: NotesProps) {
  const { format, pattern, minimum, maximum } = schema
  const bounds = [
    format,
    pattern,
    minimum === undefined ? undefined : `≥ ${minimum}`,
    maximum === undefined ? undefined : `≤ ${maximum}`,
    schema.default === undefined ? undefined : `= ${JSON.stringify(schema.default)}`,
  ].filter((each) => each !== undefined)
  return (
    <div class="notes">
      {text !== undefined && (
        <p>
          <LongText text={text} />
        </p>
      )}
      {bounds.length > 0 && <p class="code">{bounds.join(', ')}</p>}
      {codes.length > 0 && (
        <p>
          {texts.interface.codes}: <code>{codes.join(', ')}</code>
        </p>
      )}
    </div>
  )
}
