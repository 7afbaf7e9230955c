import pino from 'pino'
import { type Directives, thresholdOf } from './directives.js'
import { describeError } from './error-facts.js'
import { humanLine } from './human.js'
import { isWanted, type LogLevel, moreTalkative } from './level.js'
import { hideSecrets } from './secrets.js'

/** What is known about an event, by name. Values whose names say that they are secrets are hidden. */
export type Facts = Readonly<Record<string, unknown>>

/** `info('message')` or `info({ path }, 'message')`. An error travels as the fact `error` (or `err`). */
export interface LogMethod {
  (message: string): void
  (facts: Facts, message: string): void
}

/** Writes the records of one module. */
export interface Logger {
  readonly error: LogMethod
  readonly warn: LogMethod
  readonly info: LogMethod
  readonly debug: LogMethod
  readonly trace: LogMethod
  /** The logger of a module inside this one: `server` has `server.http`. */
  child(module: string): Logger
}

/** Lines of `profile` are those of `json`: there are no spans to profile. */
export type StreamMode = 'human' | 'json' | 'profile'

/** Somebody who listens. Must neither throw nor log. */
export interface LogSink {
  /** One record with its line end. */
  write(line: string): void
  /** No more lines will come. */
  end(): void
}

export interface LogStream {
  /** Ends this stream; later calls do nothing, even when somebody else has opened the next one. */
  close(): void
}

/** The log of the process. `child` gives the logger of a module. */
export interface Log extends Logger {
  /** Replaces the filter of standard error until the process ends. */
  setStderrTarget(directives: Directives): void
  /** Sends records to the sink as well, or returns null because somebody listens already (spec 1 §5.6). */
  openStream(listener: { directives: Directives; mode: StreamMode; sink: LogSink }): LogStream | null
  /** Ends the open stream, if any. */
  closeStream(): void
}

export interface LogOptions {
  readonly level: LogLevel
  readonly mode: 'HUMAN' | 'JSON'
  /** Colours in human lines; no by default. */
  readonly useColor?: boolean
  /** Where lines go instead of standard error. */
  readonly write?: (line: string) => void
}

/** Name of the records that no module wrote. */
const ROOT = 'findling'

/** Lines that wait while nobody reads standard error; what comes on top is dropped rather than kept in memory. */
const MAX_WAITING_BYTES = 16 * 1024 ** 2

export function createLog(options: LogOptions): Log {
  const hub = new LogHub(options)
  const { error, warn, info, debug, trace } = hub.logger(ROOT)
  return {
    error,
    warn,
    info,
    debug,
    trace,
    child: (module) => hub.logger(module),
    setStderrTarget: (directives) => hub.setStderrTarget(directives),
    openStream: (listener) => hub.openStream(listener),
    closeStream: () => hub.closeStream(),
  }
}

interface Listener {
  readonly directives: Directives
  readonly mode: StreamMode
  readonly sink: LogSink
}

/** Knows every module's logger, and who wants which of its records. */
class LogHub {
  readonly #loggers = new Map<string, pino.Logger>()
  readonly #isHuman: boolean
  readonly #useColor: boolean
  readonly #writeStderr: (line: string) => void
  #stderr: Directives
  #listener: Listener | null = null

  constructor({ level, mode, useColor = false, write = writeToStderr() }: LogOptions) {
    this.#stderr = { level, modules: [] }
    this.#isHuman = mode === 'HUMAN'
    this.#useColor = useColor
    this.#writeStderr = write
  }

  logger(module: string): Logger {
    const logger = this.#pinoOf(module)
    return {
      error: method((facts, message) => logger.error(facts, message)),
      warn: method((facts, message) => logger.warn(facts, message)),
      info: method((facts, message) => logger.info(facts, message)),
      debug: method((facts, message) => logger.debug(facts, message)),
      trace: method((facts, message) => logger.trace(facts, message)),
      child: (inner) => this.logger(`${module}.${inner}`),
    }
  }

  setStderrTarget(directives: Directives): void {
    this.#stderr = directives
    this.#applyThresholds()
  }

  openStream(listener: Listener): LogStream | null {
    if (this.#listener) return null
    this.#listener = listener
    this.#applyThresholds()
    return { close: () => this.#closeIf(listener) }
  }

  closeStream(): void {
    if (this.#listener) this.#closeIf(this.#listener)
  }

  #closeIf(listener: Listener): void {
    if (this.#listener !== listener) return
    this.#listener = null
    this.#applyThresholds()
    listener.sink.end()
  }

  #pinoOf(module: string): pino.Logger {
    const existing = this.#loggers.get(module)
    if (existing) return existing
    const logger = pino(
      { ...PINO_OPTIONS, level: this.#pinoLevelOf(module), base: { target: module } },
      this.#outlet(module),
    )
    this.#loggers.set(module, logger)
    return logger
  }

  /** With this symbol set, pino tells the level of each record before it writes it. */
  #outlet(module: string): pino.DestinationStream {
    const route = (level: number, line: string) =>
      this.#route({ module, level: LEVEL_OF_NUMBER[level] ?? 'ERROR', line })
    return Object.assign(
      {
        lastLevel: 0,
        write(line: string) {
          route(this.lastLevel, line)
        },
      },
      { [Symbol.for('pino.metadata')]: true },
    )
  }

  #route({ module, level, line }: { module: string; level: LogLevel; line: string }): void {
    if (isWanted(level, thresholdOf(this.#stderr, module))) {
      this.#writeStderr(this.#isHuman ? humanLine(line, { useColor: this.#useColor }) : line)
    }
    const listener = this.#listener
    if (listener && isWanted(level, thresholdOf(listener.directives, module))) {
      listener.sink.write(listener.mode === 'human' ? humanLine(line, { useColor: false }) : line)
    }
  }

  /** Makes pino pass on what anybody wants, so that what nobody wants costs nothing. */
  #applyThresholds(): void {
    for (const [module, logger] of this.#loggers) logger.level = this.#pinoLevelOf(module)
  }

  #pinoLevelOf(module: string): string {
    const forListener = this.#listener ? thresholdOf(this.#listener.directives, module) : 'OFF'
    const level = moreTalkative(thresholdOf(this.#stderr, module), forListener)
    return level === 'OFF' ? 'silent' : level.toLowerCase()
  }
}

/** Pino takes more than one argument after a message for values of its placeholders, so it always gets both. */
function method(write: (facts: Facts, message: string) => void): LogMethod {
  return (first: Facts | string, message?: string) =>
    typeof first === 'string' ? write({}, first) : write(first, message ?? '')
}

const LEVEL_OF_NUMBER: Readonly<Record<number, LogLevel>> = {
  10: 'TRACE',
  20: 'DEBUG',
  30: 'INFO',
  40: 'WARN',
  50: 'ERROR',
}

const PINO_OPTIONS: pino.LoggerOptions = {
  messageKey: 'message',
  timestamp: pino.stdTimeFunctions.isoTime,
  formatters: { level: (label) => ({ level: label.toUpperCase() }), log: hideSecrets },
  serializers: { error: describeError, err: describeError },
}

/** Lines are written together, when there are so many bytes of them or after so long: a busy server has one each time. */
const WRITE_TOGETHER = { minLength: 4096, periodicFlush: 50 }

/** Never blocks on a slow reader; what waits when the process exits is written then (pino sees to that). */
function writeToStderr(): (line: string) => void {
  const { fd } = process.stderr
  const destination = pino.destination({ fd, sync: false, maxLength: MAX_WAITING_BYTES, ...WRITE_TOGETHER })
  return (line) => destination.write(line)
}
