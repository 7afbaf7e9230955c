import { Field, Select } from '../parts/field.js'
import { type Texts, texts } from '../texts/index.js'

const DAY_MS = 24 * 60 * 60 * 1000

type Choice = keyof Texts['keys']['expiryChoices']
/** Numbers would come first in an object. */
const ORDER: readonly Choice[] = ['never', '1', '7', '30', '90', '365', 'date']

/** How long something works: a number of days, or until a moment of this place's clock. */
export interface Expiry {
  readonly choice: Choice
  readonly date: string
}

export const NEVER: Expiry = { choice: 'never', date: '' }

/** Null: for ever. Also where no day was chosen yet. */
export function endOf({ choice, date }: Expiry, now = Date.now()): Date | null {
  if (choice === 'never') return null
  if (choice !== 'date') return new Date(now + Number(choice) * DAY_MS)
  return date === '' ? null : new Date(date)
}

interface ExpiryFieldProps {
  readonly expiry: Expiry
  readonly help?: string | undefined
  readonly error?: string | undefined
  onExpiry(expiry: Expiry): void
}

export function ExpiryField({ expiry, help, error, onExpiry }: ExpiryFieldProps) {
  return (
    <>
      <Select
        label={texts.keys.expiry}
        help={help}
        error={error}
        value={expiry.choice}
        choices={ORDER.map((value) => ({ value, text: texts.keys.expiryChoices[value] }))}
        onChoose={(choice) => onExpiry({ ...expiry, choice: choice as Choice })}
      />
      {expiry.choice === 'date' && (
        <Field label={texts.keys.expiryDate}>
          {(ids) => (
            <input
              type="datetime-local"
              {...ids}
              required
              value={expiry.date}
              onInput={(event) => onExpiry({ ...expiry, date: event.currentTarget.value })}
            />
          )}
        </Field>
      )}
    </>
  )
}
