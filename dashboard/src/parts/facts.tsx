import { Value } from './value.js'

/** Names and what they stand for, side by side. */
export function Facts({
  entries,
  class: name = 'facts',
}: {
  entries: readonly (readonly [string, unknown])[]
  class?: string
}) {
  return (
    <dl class={name}>
      {entries.map(([key, value]) => (
        <div key={key}>
          <dt>{key}</dt>
          <dd>
            <Value value={value} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
