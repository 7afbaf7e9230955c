/** Instants and durations as the interface writes them: UTC, nanoseconds, shortest fraction. */
export {
  type Clock,
  DAY_NS,
  formatDuration,
  formatTimestamp,
  normalizeTimestamp,
  parseDay,
  parseTimestamp,
  systemClock,
  type Timestamp,
  timestampFromMs,
} from './timestamp.js'
