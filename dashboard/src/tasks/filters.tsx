import { setParams } from '../app/place.js'
import { Button } from '../parts/button.js'
import { Select, TextField } from '../parts/field.js'
import { access } from '../server/overview.js'
import { texts } from '../texts/index.js'
import { isFiltered, STATUSES, type TaskFilter, TYPES } from './query.js'

const NONE: Record<keyof TaskFilter, undefined> = {
  status: undefined,
  type: undefined,
  index: undefined,
  batch: undefined,
}

/** Another filter begins with the newest task again. */
const change = (changes: Partial<Record<keyof TaskFilter, string | undefined>>) =>
  setParams({ from: undefined, ...changes })

export function Filters({ filter }: { filter: TaskFilter }) {
  const { any, columns } = texts.tasks
  const all = { value: '', text: any }
  return (
    <div class="task-filters">
      <Select
        label={columns.status}
        value={filter.status}
        choices={[all, ...STATUSES.map((value) => ({ value, text: texts.tasks.statuses[value] }))]}
        onChoose={(status) => change({ status })}
      />
      <Select
        label={columns.type}
        value={filter.type}
        choices={[all, ...TYPES.map((value) => ({ value, text: value }))]}
        onChoose={(type) => change({ type })}
      />
      <IndexFilter filter={filter} />
      <TextField label={columns.batch} value={filter.batch} onText={(batch) => change({ batch: batch.trim() })} />
      {isFiltered(filter) && (
        <Button kind="quiet" icon="close" onClick={() => change(NONE)}>
          {texts.tasks.noFilter}
        </Button>
      )}
    </div>
  )
}

/** Tasks outlive their indexes, so that the one that is filtered by may not be among those there are. */
function IndexFilter({ filter: { index } }: { filter: TaskFilter }) {
  const current = access.value
  const known = (current.state === 'open' ? current.overview.indexes : undefined)?.map(({ uid }) => uid)
  const label = texts.tasks.columns.index
  if (known === undefined) return <TextField label={label} value={index} onText={(uid) => change({ index: uid })} />
  const uids = index === '' || known.includes(index) ? known : [index, ...known]
  return (
    <Select
      label={label}
      value={index}
      choices={[{ value: '', text: texts.tasks.any }, ...uids.map((value) => ({ value, text: value }))]}
      onChoose={(uid) => change({ index: uid })}
    />
  )
}
