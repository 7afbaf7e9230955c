import { Field } from '../parts/field.js'
import type { Overview } from '../server/overview.js'
import { texts } from '../texts/index.js'
import { go, place } from './place.js'
import { screens } from './screens.js'

/** Who chooses an index somewhere else wants to see it. */
function screenOfIndex(): string {
  const current = screens.find(({ name }) => name === place.value.screen)
  return current?.isOfIndex ? current.name : 'search'
}

/** Which index the screens are about. A key that may not list them can still name one. */
export function IndexChooser({ overview, index }: { overview: Overview; index: string }) {
  const choose = (uid: string) => go(screenOfIndex(), uid === '' ? [] : [uid])
  const { indexes } = overview
  if (indexes === undefined)
    return (
      <Field label={texts.shell.index}>
        {(ids) => <input type="text" {...ids} value={index} onChange={(event) => choose(event.currentTarget.value)} />}
      </Field>
    )
  if (indexes.length === 0) return null
  const isListed = indexes.some(({ uid }) => uid === index)
  return (
    <Field label={texts.shell.index}>
      {(ids) => (
        <select {...ids} value={index} onChange={(event) => choose(event.currentTarget.value)}>
          {!isListed && <option value={index}>{index}</option>}
          {indexes.map(({ uid, stats }) => (
            <option key={uid} value={uid}>
              {stats === undefined ? uid : texts.shell.indexWithCount(uid, stats.numberOfDocuments)}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
