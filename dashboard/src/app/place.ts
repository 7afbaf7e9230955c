import { signal } from '@preact/signals'

/** Where in the dashboard a person is: the part of the address behind `#`, so that it can be kept and sent to others. */
export interface Place {
  readonly screen: string
  /** Segments behind the screen, such as the name of an index. */
  readonly path: readonly string[]
  readonly params: URLSearchParams
}

export const place = signal<Place>(readPlace(location.hash))

/** Asked before another place is shown; a screen with work that is not saved may refuse. */
let mayGo: (next: Place) => boolean = () => true

/** Until the function that is returned is called. */
export function guardPlace(guard: (next: Place) => boolean): () => void {
  mayGo = guard
  return () => void (mayGo = () => true)
}

addEventListener('hashchange', () => {
  const next = readPlace(location.hash)
  if (mayGo(next)) place.value = next
  else {
    const { screen, path, params } = place.value
    history.pushState(null, '', addressOf(screen, path, Object.fromEntries(params)))
    // A new value, so that whatever shows the place shows it as it was.
    place.value = { ...place.value }
  }
})

function readPlace(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s)
  const [screen = '', ...rest] = path.split('/').map(decoded)
  return { screen, path: rest, params: new URLSearchParams(query) }
}

/** A person may have typed anything. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

export type Params = Readonly<Record<string, string | undefined>>

export function addressOf(screen: string, path: readonly string[] = [], params: Params = {}): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(params)) if (value !== undefined && value !== '') query.set(name, value)
  const text = query.toString()
  return `#/${[screen, ...path].map(encodeURIComponent).join('/')}${text === '' ? '' : `?${text}`}`
}

export function go(screen: string, path: readonly string[] = [], params: Params = {}): void {
  location.hash = addressOf(screen, path, params)
}

/** Changes parameters of the place without a step to go back to: typing would make hundreds of them. */
export function setParams(changes: Params): void {
  const { screen, path, params } = place.value
  const next = Object.fromEntries([...params, ...Object.entries(changes)]) as Record<string, string | undefined>
  history.replaceState(null, '', addressOf(screen, path, next))
  place.value = readPlace(location.hash)
}
