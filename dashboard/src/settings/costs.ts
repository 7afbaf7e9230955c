import { isSame } from './differences.js'
import type { JsonObject, SettingName, Settings } from './model.js'

/** What the server has to do again for all documents; nothing where only searches change (spec 4 §7). */
export type Work = 'words' | 'facets' | 'vectors'

const ALWAYS: Partial<Record<SettingName, readonly Work[]>> = {
  stopWords: ['words'],
  separatorTokens: ['words'],
  nonSeparatorTokens: ['words'],
  dictionary: ['words'],
  localizedAttributes: ['words', 'facets'],
  proximityPrecision: ['words'],
  prefixSearch: ['words'],
  filterableAttributes: ['facets'],
  sortableAttributes: ['facets'],
  distinctAttribute: ['facets'],
  facetSearch: ['facets'],
}

/** The work of one setting that differs. */
export function workOf(name: SettingName, saved: Settings, draft: Settings): readonly Work[] {
  switch (name) {
    case 'searchableAttributes':
      return searchableWork(saved, draft)
    case 'rankingRules':
      return sortedFields(draft).every((field) => sortedFields(saved).includes(field)) ? [] : ['facets']
    case 'typoTolerance':
      return typoWork(saved, draft)
    case 'embedders':
      return needsVectors(saved.embedders, draft.embedders) ? ['vectors'] : []
    default:
      return ALWAYS[name] ?? []
  }
}

/** Another order changes ranks only; templates of embedders may ask which attributes are searchable. */
function searchableWork(saved: Settings, draft: Settings): readonly Work[] {
  const members = ({ searchableAttributes }: Settings) => [...new Set(searchableAttributes)].sort()
  if (isSame(members(saved), members(draft))) return []
  return Object.keys(draft.embedders).length === 0 ? ['words'] : ['words', 'vectors']
}

const sortedFields = ({ rankingRules }: Settings): string[] =>
  rankingRules.filter((rule) => /:(asc|desc)$/.test(rule)).map((rule) => rule.slice(0, rule.lastIndexOf(':')))

function typoWork({ typoTolerance: a }: Settings, { typoTolerance: b }: Settings): readonly Work[] {
  const isFree = isSame(a.disableOnAttributes, b.disableOnAttributes) && isSame(a.disableOnNumbers, b.disableOnNumbers)
  return isFree ? [] : ['words']
}

/** Fields of an embedder that leave its vectors as they are (spec 4 §4.10). */
const FREE_FIELDS: ReadonlySet<string> = new Set([
  'apiKey',
  'distribution',
  'documentTemplateMaxBytes',
  'headers',
  'searchEmbedder',
  'searchFragments',
])

function needsVectors(saved: Settings['embedders'], draft: Settings['embedders']): boolean {
  const names = new Set([...Object.keys(saved), ...Object.keys(draft)])
  return [...names].some((name) => {
    const [before, after] = [saved[name], draft[name]]
    return before === undefined || after === undefined || isOtherModel(before, after)
  })
}

function isOtherModel(before: JsonObject, after: JsonObject): boolean {
  const isOpenAi = after.source === 'openAi'
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((field) => !FREE_FIELDS.has(field) && field !== (isOpenAi ? 'url' : 'dimensions'))
    .some((field) => !isSame(before[field], after[field]))
}
