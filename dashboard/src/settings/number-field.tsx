import { Field } from '../parts/field.js'

/** A count. Nothing typed is its default; whether it is too big or too small the server says. */
export function NumberField({
  label,
  help,
  value,
  onNumber,
}: {
  label: string
  help?: string
  value: number | null
  onNumber(value: number | null): void
}) {
  return (
    <Field label={label} help={help}>
      {(ids) => (
        <input
          {...ids}
          class="number"
          type="number"
          value={value ?? ''}
          onInput={({ currentTarget }) =>
            onNumber(Number.isNaN(currentTarget.valueAsNumber) ? null : currentTarget.valueAsNumber)
          }
        />
      )}
    </Field>
  )
}
