/** Of gzip and zip, bits reflected: the coefficient of x^0 is the highest bit. */
const POLYNOMIAL = 0xedb88320

const ONE = 0x80000000
const X_TO_8 = ONE >>> 8

/** The checksum of two texts, one after the other, from the checksums of both and the length of the second. */
export function combineCrc32(first: number, second: number, secondBytes: number): number {
  return (multiply(toThePower(X_TO_8, secondBytes), first) ^ second) >>> 0
}

/** By squaring: x^13 is x^8 · x^4 · x. */
function toThePower(base: number, exponent: number): number {
  let result = ONE
  for (let rest = exponent, square = base; rest > 0; rest = Math.floor(rest / 2), square = multiply(square, square)) {
    if (rest % 2 === 1) result = multiply(square, result)
  }
  return result
}

/** The product of two polynomials over bits, modulo the one above. */
function multiply(a: number, b: number): number {
  let product = 0
  for (let bit = ONE, shifted = b; bit !== 0; bit >>>= 1) {
    if ((a & bit) !== 0) product ^= shifted
    shifted = (shifted & 1) === 0 ? shifted >>> 1 : (shifted >>> 1) ^ POLYNOMIAL
  }
  return product >>> 0
}
