/** Numbers and texts to bytes and back: the alphabet of every stored structure. */
export { ByteReader, CorruptBytes } from './byte-reader.js'
export { ByteWriter } from './byte-writer.js'
