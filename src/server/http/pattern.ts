import type { Route } from './route.js'

/** All routes of one path. */
export interface Pattern {
  /** `/indexes/{index_uid}` */
  readonly path: string
  readonly byMethod: ReadonlyMap<string, Route>
  /** The methods, for the header of that name. */
  readonly allow: string
}

export function groupByPath(routes: readonly Route[]): Pattern[] {
  const paths = new Map<string, Route[]>()
  for (const route of routes) paths.set(route.path, [...(paths.get(route.path) ?? []), route])
  return [...paths].map(([path, ofPath]) => ({
    path,
    byMethod: new Map(ofPath.map((route) => [route.method, route])),
    allow: ofPath.map(({ method }) => method).join(', '),
  }))
}
