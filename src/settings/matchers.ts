/** A plain name covers itself and its nested fields (spec 3 §3.4, "legacy match"). `*` has no special meaning. */
export function matchesName(name: string, field: string): boolean {
  return field.startsWith(name) && (field.length === name.length || field[name.length] === '.')
}

/** Wildcards at the ends only; nothing is implied for nested fields (spec 3 §3.4, "pattern match"). */
export function matchesPattern(pattern: string, field: string): boolean {
  if (pattern === '*') return true
  const isOpenLeft = pattern.startsWith('*')
  const isOpenRight = pattern.endsWith('*')
  if (isOpenLeft && isOpenRight) return field.includes(pattern.slice(1, -1))
  if (isOpenLeft) return field.endsWith(pattern.slice(1))
  return isOpenRight ? field.startsWith(pattern.slice(0, -1)) : field === pattern
}

/** Whether a pattern can match a field nested in the given one. */
function canMatchBelow(pattern: string, field: string): boolean {
  if (pattern.startsWith('*')) return true
  const below = `${field}.`
  if (!pattern.endsWith('*')) return pattern.startsWith(below)
  const start = pattern.slice(0, -1)
  return start.startsWith(below) || below.startsWith(start)
}

/** One segment of a path, and what may follow it. */
interface Segment {
  /** Position in the list of the first name that ends here. */
  position?: number
  readonly next: Map<string, Segment>
}

/** A list of plain names, prepared: a look-up costs what the field is long, not what the list is. */
export class NameList {
  private readonly root: Segment = { next: new Map() }

  constructor(names: Iterable<string>) {
    let position = 0
    for (const name of names) {
      this.add(name, position)
      position++
    }
  }

  private add(name: string, position: number): void {
    let segment = this.root
    for (const part of name.split('.')) {
      const next = segment.next.get(part) ?? { next: new Map() }
      segment.next.set(part, next)
      segment = next
    }
    segment.position ??= position
  }

  /** Position of the first name that matches, or -1. */
  find(field: string): number {
    return this.walk(field).position
  }

  has(field: string): boolean {
    return this.find(field) !== -1
  }

  /** Whether a field nested in the given one can match. */
  hasBelow(field: string): boolean {
    const { position, end } = this.walk(field)
    return position !== -1 || (end !== undefined && end.next.size > 0)
  }

  /** `end` is where the whole field leads; undefined when no name goes that way. */
  private walk(field: string): { readonly position: number; readonly end: Segment | undefined } {
    let position = -1
    let segment: Segment | undefined = this.root
    for (const part of field.split('.')) {
      segment = segment.next.get(part)
      if (segment === undefined) break
      const found = segment.position
      if (found !== undefined && (position === -1 || found < position)) position = found
    }
    return { position, end: segment }
  }
}

/** Lists of patterns, one for each rule. */
export class PatternList {
  private readonly exact = new Map<string, number>()
  private readonly open: { readonly pattern: string; readonly rule: number }[] = []
  private readonly patterns: readonly string[]

  /** `rules` pairs each list of patterns with the number that `find` answers. */
  constructor(rules: readonly { readonly patterns: readonly string[]; readonly rule: number }[]) {
    this.patterns = rules.flatMap(({ patterns }) => patterns)
    for (const { patterns, rule } of rules) {
      for (const pattern of patterns) this.add(pattern, rule)
    }
  }

  private add(pattern: string, rule: number): void {
    if (pattern.startsWith('*') || pattern.endsWith('*')) this.open.push({ pattern, rule })
    else if (!this.exact.has(pattern)) this.exact.set(pattern, rule)
  }

  /** Number of the first rule of which a pattern matches, or -1. */
  find(field: string): number {
    const open = this.open.find(({ pattern }) => matchesPattern(pattern, field))?.rule ?? -1
    const exact = this.exact.get(field) ?? -1
    if (open === -1 || exact === -1) return Math.max(open, exact)
    return Math.min(open, exact)
  }

  hasBelow(field: string): boolean {
    return this.patterns.some((pattern) => canMatchBelow(pattern, field))
  }
}
