import type { PayloadDocument } from './record.js'

/** The document as JSON text with a line end, in memory of its own. */
export function documentLine({ names, values }: PayloadDocument): Buffer {
  const parts: Uint8Array[] = []
  for (const [i, name] of names.entries()) {
    parts.push(Buffer.from(`${i === 0 ? '{' : ','}${JSON.stringify(name)}:`), values[i]!)
  }
  parts.push(Buffer.from(names.length === 0 ? '{}\n' : '}\n'))
  return Buffer.concat(parts)
}
