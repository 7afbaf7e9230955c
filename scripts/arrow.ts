import { parseSync, Visitor } from 'oxc-parser'

/**
 * The rooms from the lowest to the highest. A room may import rooms of the rows before its own, nothing else: rooms of
 * one row do not know each other. Files directly in `src` (the command line, the package's doors) stand above all.
 */
const LAYERS: readonly (readonly string[])[] = [
  ['errors', 'bytes', 'byte-order', 'secret', 'threads', 'time'],
  ['json', 'bitmap', 'store'],
  ['shape', 'payload', 'log', 'outbound', 'text', 'script', 'template'],
  ['config', 'webhooks', 'embed', 'index'],
  ['search'],
  ['tasks', 'chat'],
  ['backup'],
  ['server'],
]

const HEIGHT = new Map(LAYERS.flatMap((rooms, height) => rooms.map((room) => [room, height] as const)))

export interface SourceFile {
  /** Relative to `src`, with `/`: `json/parse.ts`. */
  readonly path: string
  readonly text: string
}

interface Import {
  readonly from: string
  readonly to: string
  /** Erased by the compiler: it binds rooms together all the same, but makes no cycle at run time. */
  readonly isType: boolean
}

/** Every break of the rules about rooms, as sentences that name the files. Empty when the tree is in order. */
export function findArrowProblems(files: readonly SourceFile[]): string[] {
  const imports = files.flatMap(readImports)
  return [...unknownRooms(files), ...imports.flatMap(checkImport), ...findCycles(imports)]
}

function readImports({ path, text }: SourceFile): Import[] {
  const { module, program } = parseSync(path, text)
  const found: Import[] = []
  const add = (specifier: string | undefined, isType: boolean) => {
    if (specifier?.startsWith('.')) found.push({ from: path, to: resolve(path, specifier), isType })
  }
  // `import { type T }` stays an import at run time, `import type { T }` does not (verbatimModuleSyntax).
  const isErased = (start: number) => /^(?:import|export)\s+type\b/.test(text.slice(start, start + 40))
  for (const { start, moduleRequest } of module.staticImports) add(moduleRequest.value, isErased(start))
  for (const { start, entries } of module.staticExports) add(entries[0]?.moduleRequest?.value, isErased(start))
  new Visitor({
    ImportExpression: ({ source }) => add(literal(source), false),
    TSImportType: ({ source }) => add(literal(source), true),
  }).visit(program)
  return found
}

function literal(node: { type: string; value?: unknown }): string | undefined {
  return typeof node.value === 'string' ? node.value : undefined
}

/** `./b.js` seen from `a/x.ts` is `a/b.ts`. */
function resolve(from: string, specifier: string): string {
  const { pathname } = new URL(specifier, `file:///src/${from}`)
  return pathname.replace(/^\/src\//, '').replace(/\.js$/, '.ts')
}

function roomOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.indexOf('/')) : ''
}

function unknownRooms(files: readonly SourceFile[]): string[] {
  const rooms = new Set(files.map(({ path }) => roomOf(path)))
  return [...rooms]
    .filter((room) => room !== '' && !HEIGHT.has(room))
    .map((room) => `src/${room}: a room without a place in the arrow`)
}

function checkImport({ from, to }: Import): string[] {
  const here = roomOf(from)
  const there = roomOf(to)
  const isTest = /\.(test|cases)\.ts$/.test(from)
  if (here === there) {
    return here !== '' && to === `${here}/index.ts` && !isTest ? [`src/${from}: imports its own door`] : []
  }
  const problems: string[] = []
  if (heightOf(there) >= heightOf(here)) problems.push(`src/${from}: imports src/${to}, against the arrow`)
  if (there !== '' && to !== `${there}/index.ts`) problems.push(`src/${from}: passes the door of ${there} (src/${to})`)
  return problems
}

function heightOf(room: string): number {
  return HEIGHT.get(room) ?? LAYERS.length
}

/** Takes away files that import nothing, or are imported by nothing, until only cycles (and paths between them) are left. */
function findCycles(imports: readonly Import[]): string[] {
  let left = imports.filter(({ isType }) => !isType)
  for (let before = -1; before !== left.length; ) {
    before = left.length
    const importers = new Set(left.map(({ from }) => from))
    const imported = new Set(left.map(({ to }) => to))
    left = left.filter(({ from, to }) => importers.has(to) && imported.has(from))
  }
  return left.map(({ from, to }) => `src/${from}: imports src/${to}, in a cycle of value imports`)
}
