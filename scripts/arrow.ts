import { parseSync, Visitor } from 'oxc-parser'

/**
 * The rooms from the lowest to the highest. A room may import rooms of the rows before its own, nothing else: rooms of
 * one row do not know each other. Files directly in `src` (the command line, the package's doors) stand above all.
 */
const LAYERS: readonly (readonly string[])[] = [
  ['errors', 'bytes', 'byte-order', 'secret', 'time', 'cache', 'heap'],
  ['json', 'bitmap', 'store', 'threads', 'sharding'],
  ['shape', 'payload', 'log', 'outbound', 'text', 'script', 'template'],
  ['config', 'webhooks', 'embed', 'documents', 'settings'],
  ['folder'],
  ['geo'],
  ['columns', 'postings', 'vectors'],
  ['index'],
  ['match'],
  ['rank'],
  ['engine'],
  ['answer'],
  ['federation'],
  ['tasks', 'chat', 'embedded'],
  ['state', 'bodies', 'openapi', 'cluster'],
  ['searching'],
  ['backup'],
  ['server'],
  ['commands'],
]

const HEIGHT = new Map(LAYERS.flatMap((rooms, height) => rooms.map((room) => [room, height] as const)))

export interface SourceFile {
  /** Relative to `src`, with `/`: `json/parse.ts`. */
  readonly path: string
  readonly text: string
}

/** Imports of types count as much as others: they bind files together all the same. */
interface Import {
  readonly from: string
  readonly to: string
}

/** Every break of the rules about rooms, as sentences that name the files. Empty when the tree is in order. */
export function findArrowProblems(files: readonly SourceFile[]): string[] {
  const imports = files.flatMap(readImports)
  const own = imports.filter(({ from }) => !isOfTests(from))
  return [
    ...unknownRooms(files),
    ...imports.flatMap(checkImport),
    ...circles(own).map(([from, to]) => `src/${from}: imports src/${to}, in a circle of files`),
    ...circles(betweenFolders(own))
      .filter(isOfFolders)
      .map(([from, to]) => `src/${from}: imports src/${to}, in a circle of folders`),
  ]
}

function readImports({ path, text }: SourceFile): Import[] {
  const { module, program } = parseSync(path, text)
  const found: Import[] = []
  const add = (specifier: string | undefined) => {
    if (specifier?.startsWith('.')) found.push({ from: path, to: resolve(path, specifier) })
  }
  for (const { moduleRequest } of module.staticImports) add(moduleRequest.value)
  for (const { entries } of module.staticExports) add(entries[0]?.moduleRequest?.value)
  new Visitor({
    ImportExpression: ({ source }) => add(literal(source)),
    TSImportType: ({ source }) => add(literal(source)),
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

const isOfTests = (path: string): boolean => /\.test\.ts$/.test(path) || isHelper(path)

/** What tests of several rooms share: data, stand-ins of services, generators, and plain implementations to compare with. */
const isHelper = (path: string): boolean => /\.(fixture|fake|arbitrary|twin)\.ts$/.test(path)

function checkImport({ from, to }: Import): string[] {
  const here = roomOf(from)
  const there = roomOf(to)
  if (here === there) {
    return here !== '' && to === `${here}/index.ts` && !isOfTests(from) ? [`src/${from}: imports its own door`] : []
  }
  const problems: string[] = []
  if (heightOf(there) >= heightOf(here)) problems.push(`src/${from}: imports src/${to}, against the arrow`)
  const isDoor = there === '' || to === `${there}/index.ts` || (isOfTests(from) && isHelper(to))
  if (!isDoor) problems.push(`src/${from}: passes the door of ${there} (src/${to})`)
  return problems
}

function heightOf(room: string): number {
  return HEIGHT.get(room) ?? LAYERS.length
}

/** Imports between folders of one room. A file that lies in the room itself stands for a folder of its own. */
function betweenFolders(imports: readonly Import[]): Import[] {
  return imports
    .filter(({ from, to }) => roomOf(from) === roomOf(to))
    .map(({ from, to }) => ({ from: folderOf(from), to: folderOf(to) }))
    .filter(({ from, to }) => from !== to)
}

/** Circles of files alone are found as such. */
const isOfFolders = (ends: readonly string[]): boolean => ends.some((end) => !end.endsWith('.ts'))

function folderOf(path: string): string {
  const [room, folder, ...rest] = path.split('/')
  return rest.length === 0 ? path : `${room}/${folder}`
}

/**
 * The imports of which circles are made. What imports nothing, or is imported by nothing, is taken away until only
 * circles (and paths between them) are left.
 */
function circles(imports: readonly Import[]): [from: string, to: string][] {
  let left = imports
  for (let before = -1; before !== left.length; ) {
    before = left.length
    const importers = new Set(left.map(({ from }) => from))
    const imported = new Set(left.map(({ to }) => to))
    left = left.filter(({ from, to }) => importers.has(to) && imported.has(from))
  }
  return left.map(({ from, to }) => [from, to])
}
