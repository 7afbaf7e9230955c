/**
 * What request bodies and query strings must look like: small declarations that check a value, give it a precise
 * type, and say where it is wrong, what was expected, what was found and which name was probably meant
 * (spec 1 §2.8-2.10).
 */
export {
  anyJson,
  arrayOf,
  bool,
  type Checked,
  checkBody,
  described,
  double,
  type Field,
  jsonObject,
  type Members,
  mapOf,
  named,
  nullable,
  object,
  oneOf,
  optional,
  type Place,
  refined,
  refuse,
  required,
  type Shape,
  text,
  uint,
  uint32,
} from './body.js'
export {
  INDEX_UID_PATTERN,
  indexPattern,
  indexUid,
  isIndexPattern,
  isIndexUid,
  matchesIndexPattern,
} from './index-uid.js'
export { missingField, unknownChoice, unknownField, wrongValue } from './message.js'
export {
  boolParam,
  checkQuery,
  commaList,
  doubleParam,
  enumParam,
  looseEnumParam,
  type Param,
  type Parameters,
  type QueryParam,
  type QueryShape,
  queryParam,
  type RequiredParam,
  refinedParam,
  requiredParam,
  starOrList,
  textParam,
  uint32Param,
  uintParam,
} from './query.js'
export { parseBody } from './read-body.js'
export { orNull, type Schema, type SchemaNames } from './schema.js'
export { parseUuid } from './uuid.js'
