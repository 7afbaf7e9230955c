import { texts } from '../texts/index.js'
import {
  type Answer,
  type Description,
  isDeep,
  type Operation,
  resolvedAnswer,
  type Schema,
  typeOf,
} from './description.js'
import { Notes, SchemaTree } from './schema-tree.js'
import { TryIt } from './try-it.js'

interface OperationPageProps {
  readonly operation: Operation
  readonly description: Description
}

export function OperationPage({ operation, description }: OperationPageProps) {
  const { method, path, summary, security = [], parameters = [], requestBody, responses = {} } = operation
  const actions = security.flatMap((scheme) => Object.values(scheme).flat())
  return (
    <article class="operation">
      <header>
        <h2>{summary ?? path}</h2>
        <p class="operation-path">
          <Method method={method} /> <code>{path}</code>
        </p>
        {operation.description !== undefined && <p>{operation.description}</p>}
        <p class="muted">
          {security.length === 0 ? (
            texts.interface.actionsNone
          ) : (
            <>
              {texts.interface.actions}: <code>{actions.join(', ')}</code>
            </>
          )}
        </p>
      </header>
      {parameters.length > 0 && <Parameters of={operation} />}
      {Object.entries(requestBody?.content ?? {}).map(([type, { schema = {} }]) => (
        <section key={type}>
          <h3>
            {texts.interface.body} <code>{type}</code>
          </h3>
          <Described schema={schema} description={description} />
        </section>
      ))}
      <section>
        <h3>{texts.interface.answers}</h3>
        {Object.entries(responses).map(([status, answer]) => (
          <AnswerRow
            key={status}
            status={status}
            answer={resolvedAnswer(answer, description)}
            description={description}
          />
        ))}
      </section>
      <TryIt key={operation.id} operation={operation} description={description} />
    </article>
  )
}

export function Method({ method }: { method: string }) {
  return <span class={`method ${method.toLowerCase()}`}>{method}</span>
}

function Parameters({ of: { parameters = [] } }: { of: Operation }) {
  return (
    <section>
      <h3>{texts.interface.parameters}</h3>
      <ul class="schema">
        {parameters.map((parameter) => (
          <li key={`${parameter.in} ${parameter.name}`}>
            <p>
              <code class="schema-name">{parameter.name}</code>{' '}
              <span class="schema-type">
                {typeOf(parameter.schema ?? {})}, {texts.interface.places[parameter.in]}
              </span>{' '}
              {parameter.required && <span class="badge">{texts.interface.needed}</span>}
            </p>
            <Notes schema={parameter.schema ?? {}} text={parameter.description} codes={parameter['x-error-codes']} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Described({ schema, description }: { schema: Schema; description: Description }) {
  return (
    <>
      <p class="schema-type">{typeOf(schema)}</p>
      <Notes schema={schema} />
      {isDeep(schema, description) && <SchemaTree schema={schema} description={description} />}
    </>
  )
}

/** Refusals all look alike: their codes tell more. */
function AnswerRow({ status, answer, description }: { status: string; answer: Answer; description: Description }) {
  const codes = answer['x-error-codes'] ?? []
  const [type, body] = Object.entries(answer.content ?? {})[0] ?? []
  const isRefusal = !status.startsWith('2')
  return (
    <details class="answer" open={!isRefusal}>
      <summary>
        <code class={isRefusal ? 'bad' : 'good'}>{status}</code> {answer.description}
      </summary>
      {codes.length > 0 && (
        <ul class="codes">
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
      )}
      <p class="schema-type">{type ?? texts.interface.noBody}</p>
      {body?.schema !== undefined && <Described schema={body.schema} description={description} />}
    </details>
  )
}
