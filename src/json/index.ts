/**
 * JSON that keeps what JavaScript drops: whether a number was an integer, integers up to 64 bits, the order of
 * members, and names such as `__proto__`.
 */
export { kindOf, shown, wrongType } from './describe.js'
export { floatText, numberFromDecimal, numberFromLiteral, numberText } from './number.js'
export { MAX_DEPTH, type Parsed, type ParseLimits, parse, parseBytes, type Unparsed } from './parse.js'
export { print, printStart } from './print.js'
export { Float, fromPlain, isObject, type JsonObject, type JsonValue, RawJson, toDouble, toPlain } from './value.js'
export { PART_WEIGHT } from './weight.js'
