import { clusterRows } from './rows/cluster-rows.js'
import { featureRows } from './rows/feature-rows.js'
import { indexRows } from './rows/index-rows.js'
import { searchRows } from './rows/search-rows.js'
import { serverRows } from './rows/server-rows.js'
import { settingRows } from './rows/setting-rows.js'
import { taskRows } from './rows/task-rows.js'

export type { ErrorType } from './rows/row.js'

/** Every code of the interface, in the groups of spec 1 §3.2, and those of Findling's own. */
export const catalogue = {
  ...serverRows,
  ...indexRows,
  ...searchRows,
  ...settingRows,
  ...taskRows,
  ...featureRows,
  ...clusterRows,
} as const

export type Catalogue = typeof catalogue
export type ErrorCode = keyof Catalogue

export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(catalogue, text)
}
