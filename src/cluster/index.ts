/**
 * Several servers with the same data: the log that a majority of them agrees on, and the nats-server that keeps it.
 *
 * The log is a stream of NATS JetStream. Packages that speak to it are loaded with the first log that is opened.
 */
export { Ledger, type LedgerState } from './ledger/ledger.js'
export { MAX_BODY_BYTES } from './log/entry-codec.js'
export type {
  AppendOptions,
  BlobRef,
  Lease,
  LogCredentials,
  LogEntry,
  LogHealth,
  LogOptions,
  LogTls,
  NewEntry,
  ReadOptions,
  ReplicaHealth,
  ReplicatedLog,
} from './log/model.js'
export { loadLog, openLog } from './log/open-log.js'
export { LazySync, LogDamaged, LogMissing, LogMoved, LogTrimmed, LogUnavailable } from './log/problems.js'
export { Member } from './member/member.js'
export { decodeReport, type HeardMember, type MemberReport } from './member/members.js'
export type { LossListener, MemberOptions, MemberQueue, MemberStatus } from './member/model.js'
export { type NatsServerOptions, natsServerConfig } from './nats-server/config.js'
export { findNatsServer, NatsServerMissing } from './nats-server/find.js'
export { NatsServer } from './nats-server/server.js'
export { NatsSupervisor } from './nats-server/supervisor.js'
