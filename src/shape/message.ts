import { excerpt, suggest } from '../errors/index.js'
import { shown } from '../json/index.js'

const place = (path: string, root: string): string => (path === '' ? root : `\`${excerpt(path)}\``)

export function wrongValue(path: string, reason: string): string {
  return `${place(path, 'The body')}: ${reason}.`
}

export function unknownField(path: string, name: string, accepted: readonly string[]): string {
  const inside = path === '' ? '' : ` inside \`${excerpt(path)}\``
  return `There is no field ${shown(name)}${inside}${didYouMean(name, accepted)}; known are ${nameList(accepted)}.`
}

export function unknownParameter(name: string, accepted: readonly string[]): string {
  return `There is no parameter ${shown(name)}${didYouMean(name, accepted)}; known are ${nameList(accepted)}.`
}

export function unknownChoice(path: string, found: string, accepted: readonly string[]): string {
  return `${place(path, 'The value')}: ${shown(found)} is not known${didYouMean(found, accepted)}; accepted are ${nameList(accepted)}.`
}

export function missingField(path: string, name: string): string {
  return `The field \`${name}\` is missing${path === '' ? '' : ` inside \`${excerpt(path)}\``}.`
}

function didYouMean(received: string, accepted: readonly string[]): string {
  const near = suggest(received, accepted)
  return near === undefined ? '' : ` (did you mean \`${near}\`?)`
}

const nameList = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ') || 'none'
