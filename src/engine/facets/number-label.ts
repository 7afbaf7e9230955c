/** A number as facets show it: all its digits, no exponent, no fraction that is zero (spec 6 §7.2). */
export function numberLabel(value: number): string {
  const text = String(value)
  return text.includes('e') ? withoutExponent(text) : text
}

const SCIENTIFIC = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/

function withoutExponent(text: string): string {
  const [, sign = '', first = '', rest = '', exponentText] = SCIENTIFIC.exec(text)!
  const exponent = Number(exponentText)
  const digits = first + rest
  // JavaScript writes exponents from 21 up and from -7 down, so the point is never among the digits.
  return exponent > 0 ? sign + digits.padEnd(exponent + 1, '0') : `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`
}
