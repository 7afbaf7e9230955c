import { existsSync, mkdirSync } from 'node:fs'
import {
  BackupExecutor,
  type BackupServices,
  Backups,
  BackupThread,
  ownerMark,
  removeUnfinished,
} from '../../backup/index.js'
import { type Config, INTERFACE_VERSION } from '../../config/index.js'
import type { Log } from '../../log/index.js'
import { writeVersion } from '../data-folder.js'
import type { IndexFolders } from '../index-folders.js'
import { readInstanceUid } from './instance-uid.js'

export interface BackupParts {
  readonly folders: IndexFolders
  readonly state: BackupServices['state']
  readonly gates: BackupServices['exports']['gates']
}

/** Requests of an export are as large as this server takes them, less what goes around the documents (spec 2 §9.3). */
const PAYLOAD_MARGIN_BYTES = 1 << 20
const MIN_PAYLOAD_BYTES = 20 << 20

/** The jobs of the task queue that concern the whole server, as this server does them. */
export function openBackups(config: Config, { folders, state, gates }: BackupParts): Backups {
  return new Backups({
    dbPath: config.dbPath,
    dbVersion: INTERFACE_VERSION,
    instanceUid: readInstanceUid(config.dbPath),
    dumpsPath: config.backups.dumpsPath,
    snapshotsPath: config.backups.snapshotsPath,
    s3: config.backups.s3 && { config: config.backups.s3, networks: config.outgoing.allowedNetworks },
    exports: {
      payloadBytes: Math.max(config.http.payloadLimitBytes - PAYLOAD_MARGIN_BYTES, MIN_PAYLOAD_BYTES),
      networks: config.outgoing.allowedNetworks,
      gates,
    },
    state,
    writeVersion: (version) => writeVersion(config.dbPath, version),
    hold: (path) => folders.hold(path),
    openExecutor: (size) => (size === 'small' ? new BackupExecutor() : new BackupThread()),
  })
}

/** Makes the folder of dumps, and removes what a process that was killed left of its backups. */
export async function prepareBackupFolders({ dbPath, backups }: Config, log: Log): Promise<void> {
  const { dumpsPath, snapshotsPath } = backups
  try {
    mkdirSync(dumpsPath, { recursive: true })
    for (const path of [dumpsPath, snapshotsPath]) if (existsSync(path)) await removeUnfinished(path, ownerMark(dbPath))
  } catch (error) {
    // Whoever asks for a backup learns that it fails; everything else works without.
    log.child('server').warn({ error }, 'the folders of dumps and snapshots could not be prepared')
  }
}
