import { dateFilters } from './date.js'
import type { Filter, Filters } from './filter.js'
import { listFilters } from './list.js'
import { numberFilters } from './number.js'
import { textFilters } from './text.js'

const filters: Filters = { ...numberFilters, ...textFilters, ...listFilters, ...dateFilters }

/** The filters of spec 3 §7.2; any other name is an error of the template. */
export function findFilter(name: string): Filter | undefined {
  return Object.hasOwn(filters, name) ? filters[name] : undefined
}
