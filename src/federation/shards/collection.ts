import { fromPlain, type JsonObject, type JsonValue, print } from '../../json/index.js'
import { agree, type CollectionKnowledge, knowTogether, type PartFindings } from '../../rank/index.js'

/** By the places of queries whose indexes lie in parts on several servers: null as long as nobody told anything. */
export type Knowledge = ReadonlyMap<number, CollectionKnowledge | null>

export const NO_KNOWLEDGE: Knowledge = new Map()

/** What one server found out about such queries. */
export type Findings = ReadonlyMap<number, PartFindings>

/** The member of an answer to another server that tells them. */
export const FINDINGS = 'collectionFindings'

/**
 * What is known of queries when all servers have told what they found out with `before`. Undefined when none of them would
 * answer otherwise if it were told.
 */
export function agreeOn(parts: readonly Findings[], before: Knowledge): Knowledge | undefined {
  const after = new Map(before)
  let isNew = false
  for (const [position, known] of before) {
    const told = parts.flatMap((findings) => findings.get(position) ?? [])
    const agreed = told.length < 2 ? undefined : agree(told, known)
    if (agreed !== undefined) after.set(position, agreed)
    isNew ||= agreed !== undefined
  }
  return isNew ? after : undefined
}

/** The same, be it news for none of them. */
export function knownTogether(parts: readonly Findings[], before: Knowledge): Knowledge {
  return new Map(
    Array.from(before, ([position, known]) => {
      const told = parts.flatMap((findings) => findings.get(position) ?? [])
      return [position, told.length < 2 ? known : knowTogether(told, known)]
    }),
  )
}

/** A member for the options of a query, where there is something to tell. */
export function printKnowledge(knowledge: CollectionKnowledge | null): [string, JsonValue][] {
  if (knowledge === null) return []
  const { paths, ...words } = knowledge
  return [['knowledge', withPaths(words, paths)]]
}

export function findingsJson(findings: Iterable<readonly [position: number, told: PartFindings]>): string {
  return print(
    new Map(Array.from(findings, ([position, { paths, ...told }]) => [String(position), withPaths(told, paths)])),
  )
}

function withPaths(words: object, paths: CollectionKnowledge['paths']): JsonObject {
  const written = Array.from(paths, ([costs, each]): [string, JsonValue] => [costs, [...each]])
  return (fromPlain(words) as JsonObject).set('paths', new Map(written))
}
