/**
 * What the process tells about itself while it runs.
 *
 * Records go to standard error, as lines to read or as JSON, and to one listener more while one is connected. Both
 * have a filter by level and module that can change at run time. What nobody wants is not even formatted.
 */
export { type Directives, parseDirectives } from './directives.js'
export type { LogLevel } from './level.js'
export {
  createLog,
  type Facts,
  type Log,
  type Logger,
  type LogMethod,
  type LogOptions,
  type LogSink,
  type LogStream,
  type StreamMode,
} from './log.js'
