import { texts } from '../texts/index.js'
import type { Status } from './query.js'

export function StatusBadge({ status }: { status: Status }) {
  return <span class={`badge status ${status}`}>{texts.tasks.statuses[status]}</span>
}
