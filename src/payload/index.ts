/**
 * Documents as they arrive: JSON, NDJSON and CSV bodies, read while they stream in, checked, and turned into records
 * that the indexing thread reads without parsing.
 */
export { documentLine } from './document-line.js'
export { type PayloadFormat, PayloadIntake } from './intake.js'
export { PayloadSeal, readPayloadFile, streamPayloadFile } from './payload-file.js'
export { INLINE_BYTES, PayloadFiles, type PayloadReceiver, type ReceivedPayload } from './payload-files.js'
export { type PayloadSink, receivePayload } from './receive.js'
export { type PayloadDocument, type PayloadRecord, type ReadMore, RecordReader, readRecords } from './record.js'
