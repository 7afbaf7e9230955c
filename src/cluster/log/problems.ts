/** Somebody else appended: `after` is not the last sequence of the kind. */
export class LogMoved extends Error {
  constructor(
    readonly kind: string,
    readonly after: number,
  ) {
    super(`The log has moved on: ${after} is not its last sequence of the kind ${kind}.`)
    this.name = 'LogMoved'
  }
}

/** No majority of the log's servers answered in time. What was asked for may have happened all the same. */
export class LogUnavailable extends Error {
  constructor(what: string, options?: ErrorOptions) {
    super(`The replicated log is not available: ${what}.`, options)
    this.name = 'LogUnavailable'
  }
}

/** The nats-servers have no log of this name, though there has been one. */
export class LogMissing extends Error {
  constructor(readonly log: string) {
    super(
      `The nats-servers have no log of the cluster "${log}". If it is lost, \`findling cluster recover\` makes a new one from the data of the most advanced server.`,
    )
    this.name = 'LogMissing'
  }
}

/** Something acknowledged is on no server, or on none undamaged. */
export class LogDamaged extends Error {
  constructor(
    what: string,
    /** Undefined when a blob is damaged. */
    readonly sequence?: number,
  ) {
    super(`The replicated log is damaged: ${what}.`)
    this.name = 'LogDamaged'
  }
}

/** Entries were asked for that have been forgotten: only a snapshot still has their effect. */
export class LogTrimmed extends Error {
  constructor(
    readonly sequence: number,
    readonly firstSequence: number,
  ) {
    super(`The log begins at ${firstSequence}: entry ${sequence} has been trimmed.`)
    this.name = 'LogTrimmed'
  }
}

/** A server acknowledges before data is on disk, or nobody could tell. */
export class LazySync extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'LazySync'
  }
}
