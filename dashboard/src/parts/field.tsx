import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

interface LabelProps {
  readonly label: string
  /** What it is for, below it. */
  readonly help?: string | undefined
  /** Why the server or this page does not take it. */
  readonly error?: string | undefined
}

/** A label, what it is for, and what is wrong, around one control. `children` gets what ties them together. */
export function Field({
  label,
  help,
  error,
  children,
}: LabelProps & {
  children(ids: { id: string; 'aria-describedby': string; 'aria-invalid': boolean }): ComponentChildren
}) {
  const id = useId()
  return (
    <div class={`field ${error === undefined ? '' : 'wrong'}`}>
      <label for={id}>{label}</label>
      {children({ id, 'aria-describedby': `${id}-help`, 'aria-invalid': error !== undefined })}
      <div id={`${id}-help`} class="help">
        {error !== undefined && <p class="error">{error}</p>}
        {help !== undefined && <p>{help}</p>}
      </div>
    </div>
  )
}

interface TextFieldProps extends LabelProps {
  readonly value: string
  onText(text: string): void
  /** Hides what is typed. */
  readonly isSecret?: boolean
  /** In the letters of code, and without a look at its spelling. */
  readonly isCode?: boolean
  readonly placeholder?: string
  readonly required?: boolean
}

export function TextField({
  label,
  help,
  error,
  onText,
  value,
  isSecret,
  isCode,
  placeholder,
  required,
}: TextFieldProps) {
  return (
    <Field label={label} help={help} error={error}>
      {(ids) => {
        const common = { ...ids, placeholder, required, value, onInput: listenTo(onText) }
        if (isSecret) return <input type="password" autocomplete="current-password" {...common} />
        return <input type="text" autocomplete="off" class={isCode ? 'code' : ''} spellcheck={!isCode} {...common} />
      }}
    </Field>
  )
}

const listenTo = (onText: (text: string) => void) => (event: InputEvent & { currentTarget: HTMLInputElement }) =>
  onText(event.currentTarget.value)

export function TextArea({
  label,
  help,
  error,
  value,
  onText,
  rows = 6,
  isCode = false,
}: LabelProps & { value: string; onText(text: string): void; rows?: number; isCode?: boolean }) {
  return (
    <Field label={label} help={help} error={error}>
      {(ids) => (
        <textarea
          {...ids}
          rows={rows}
          class={isCode ? 'code' : ''}
          spellcheck={!isCode}
          value={value}
          onInput={(event) => onText(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}

export interface Choice {
  readonly value: string
  readonly text: string
}

export function Select({
  label,
  help,
  error,
  value,
  choices,
  onChoose,
}: LabelProps & { value: string; choices: readonly Choice[]; onChoose(value: string): void }) {
  return (
    <Field label={label} help={help} error={error}>
      {(ids) => (
        <select {...ids} value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.text}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

export function Toggle({
  label,
  help,
  isOn,
  onToggle,
  disabled = false,
}: {
  label: string
  help?: string
  isOn: boolean
  onToggle(isOn: boolean): void
  disabled?: boolean
}) {
  const id = useId()
  return (
    <div class="toggle">
      <input
        id={id}
        type="checkbox"
        role="switch"
        checked={isOn}
        disabled={disabled}
        aria-describedby={`${id}-help`}
        onChange={(event) => onToggle(event.currentTarget.checked)}
      />
      <label for={id}>{label}</label>
      {help !== undefined && (
        <p id={`${id}-help`} class="help">
          {help}
        </p>
      )}
    </div>
  )
}
