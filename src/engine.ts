/** The engine without HTTP, for scripts: sets of ids, and the words of a text. */
export { Bitmap } from './bitmap/index.js'
export { type AnalyzerOptions, createAnalyzer, type Token } from './text/index.js'
