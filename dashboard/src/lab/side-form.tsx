import { Field, Select, TextField } from '../parts/field.js'
import { client } from '../server/client.js'
import { useLoaded } from '../server/loaded.js'
import { access } from '../server/overview.js'
import { texts } from '../texts/index.js'
import { changeSide, type Side, type SideName } from './sides.js'

/** What the settings of an index allow to ask for; nothing where the key may not read them. */
interface Possible {
  readonly filters: string
  readonly sorts: string
  readonly embedders: readonly string[]
}

const NOTHING: Possible = { filters: '', sorts: '', embedders: [] }
const MOST_NAMES = 12

async function lookAt(index: string): Promise<Possible> {
  const { filterableAttributes, sortableAttributes, embedders } = await client.value.index(index).getSettings()
  const filters = (filterableAttributes ?? []).flatMap((rule) =>
    typeof rule === 'string' ? [rule] : rule.attributePatterns,
  )
  return {
    filters: filters.slice(0, MOST_NAMES).join(', '),
    sorts: (sortableAttributes ?? []).slice(0, MOST_NAMES).join(', '),
    embedders: Object.keys(embedders ?? {}),
  }
}

/** Everything by which one side may differ from the other. */
export function SideForm({ name, side, index }: { name: SideName; side: Side; index: string }) {
  const uid = side.index === '' ? index : side.index
  const possible = useLoaded(() => lookAt(uid).catch(() => NOTHING), [uid]).latest ?? NOTHING
  const change = (changes: Partial<Side>) => changeSide(name, changes)
  const words = texts.lab.form
  return (
    <div class="side-form">
      <TextField label={words.q} help={words.qHelp} value={side.q} onText={(q) => change({ q })} />
      <IndexField value={side.index} own={index} onIndex={(next) => change({ index: next })} />
      <Select
        label={words.strategy}
        help={words.strategyHelp}
        value={side.strategy}
        choices={Object.entries(words.strategies).map(([value, text]) => ({ value, text }))}
        onChoose={(strategy) => change({ strategy })}
      />
      <TextField
        label={words.searchOn}
        help={words.listHelp}
        isCode
        value={side.searchOn}
        onText={(searchOn) => change({ searchOn })}
      />
      <TextField
        label={words.sort}
        help={possible.sorts === '' ? words.noSorts : words.sortHelp(possible.sorts)}
        isCode
        value={side.sort}
        onText={(sort) => change({ sort })}
      />
      <TextField
        label={words.filter}
        help={possible.filters === '' ? words.noFilters : words.filterHelp(possible.filters)}
        isCode
        value={side.filter}
        onText={(filter) => change({ filter })}
      />
      <Field label={words.threshold} help={words.thresholdHelp}>
        {(ids) => (
          <input
            {...ids}
            type="number"
            min={0}
            max={1}
            step={0.05}
            value={side.threshold}
            onInput={(event) => change({ threshold: event.currentTarget.value })}
          />
        )}
      </Field>
      {possible.embedders.length > 0 && <Meaning side={side} embedders={possible.embedders} onChange={change} />}
    </div>
  )
}

/** The same documents with other settings are another index. */
function IndexField({ value, own, onIndex }: { value: string; own: string; onIndex(index: string): void }) {
  const words = texts.lab.form
  const current = access.value
  const indexes = current.state === 'open' ? current.overview.indexes : undefined
  if (indexes === undefined)
    return <TextField label={words.index} help={words.indexHelp} value={value} onText={onIndex} />
  const uids = new Set(indexes.map(({ uid }) => uid).filter((uid) => uid !== own))
  if (value !== '') uids.add(value)
  return (
    <Select
      label={words.index}
      help={words.indexHelp}
      value={value}
      choices={[{ value: '', text: words.thisIndex(own) }, ...[...uids].map((uid) => ({ value: uid, text: uid }))]}
      onChoose={onIndex}
    />
  )
}

function Meaning(props: { side: Side; embedders: readonly string[]; onChange(changes: Partial<Side>): void }) {
  const { side, embedders, onChange } = props
  const words = texts.lab.form
  const choose = (ratio: string, embedder = side.embedder || embedders[0]!) =>
    onChange(Number(ratio) === 0 ? { ratio: '', embedder: '' } : { ratio, embedder })
  return (
    <>
      <Field label={words.ratio(side.ratio === '' ? '0' : side.ratio)}>
        {(ids) => (
          <input
            {...ids}
            type="range"
            min={0}
            max={1}
            step={0.05}
            value={side.ratio === '' ? 0 : Number(side.ratio)}
            onInput={(event) => choose(event.currentTarget.value)}
          />
        )}
      </Field>
      {embedders.length > 1 && (
        <Select
          label={texts.search.embedder}
          value={side.embedder}
          choices={embedders.map((name) => ({ value: name, text: name }))}
          onChoose={(embedder) => choose(side.ratio === '' ? '0.5' : side.ratio, embedder)}
        />
      )}
    </>
  )
}
