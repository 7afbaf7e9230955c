import { isWebAddress } from '../parts/faces.js'

/** How a hit is drawn: which of its fields is its name, and which a picture. */
export interface Look {
  readonly title: string | undefined
  readonly picture: string | undefined
  readonly others: readonly string[]
}

const TITLES = /^(title|name|label|headline|subject)$/i
const PICTURES = /(image|picture|photo|poster|thumbnail|cover|avatar)/i
const PICTURE_FILE = /\.(png|jpe?g|gif|webp|avif|svg)(\?|$)/i

/** Most documents have few fields; of one with thousands the rest is on its own page. */
export const MOST_FIELDS = 12

export function lookOf(document: Readonly<Record<string, unknown>>, primaryKey: string | null): Look {
  const names = Object.keys(document).filter((name) => !name.startsWith('_'))
  const isText = (name: string) => typeof document[name] === 'string'
  const title =
    names.find((name) => TITLES.test(name) && isText(name)) ?? names.find((name) => isText(name) && name !== primaryKey)
  const picture = names.find((name) => isText(name) && isPicture(name, document[name] as string))
  return { title, picture, others: names.filter((name) => name !== title && name !== picture) }
}

const isPicture = (name: string, value: string): boolean =>
  value.length < 2000 && isWebAddress(value) && (PICTURE_FILE.test(value) || PICTURES.test(name))

/** The page may show pictures from elsewhere only where a person has asked for it: the server sends another policy then. */
export const showsPictures = new URLSearchParams(location.search).has('pictures')

export function togglePictures(): void {
  location.assign(`${location.pathname}${showsPictures ? '' : '?pictures'}${location.hash}`)
}
