/**
 * Byte order of strings: by their UTF-8 bytes, which is the order of code points. JavaScript's own order goes by
 * UTF-16 units and differs beyond U+FFFF.
 */
export { compareBytes, sortedByName, sortedUnique } from './byte-order.js'
export { byteOrderOf } from './order-of.js'
