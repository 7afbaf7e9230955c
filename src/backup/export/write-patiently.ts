import { FailureError } from '../../errors/index.js'
import type { Remote } from '../../state/index.js'
import { JobCancelled } from '../../threads/index.js'
import { type Attempt, type BackoffLimits, retrying } from '../backoff.js'
import { checkCancelled, type Watch } from '../watch.js'
import { type RemoteWrite, type WriteServices, writeToRemote } from './write-to-remote.js'

export interface PatientServices extends WriteServices {
  readonly watch: Watch
  readonly limits?: BackoffLimits
}

/** A server that is away comes back, or the change of the network is canceled. */
const LIMITS: BackoffLimits = { firstMs: 100, longestMs: 5000, giveUpMs: Number.POSITIVE_INFINITY }

/** What a server answers that has the documents of a request already. */
const RECEIVED = 'import_task_already_received'

/** What one answers that has not heard of the change yet, and is at an older one. */
const OTHER_CHANGE = 'network_version_mismatch'

/** Sends a request until it is accepted. Throws `FailureError` when it is refused for good. */
export async function writePatiently(
  target: { readonly name: string; readonly remote: Remote },
  write: RemoteWrite,
  services: PatientServices,
): Promise<void> {
  const { watch, signal, limits = LIMITS } = services
  const check = () => {
    if (signal.aborted) throw new JobCancelled()
    checkCancelled(watch)
  }
  await retrying(
    async (): Promise<Attempt<undefined>> => {
      const answer = await writeToRemote(target, write, services)
      if (answer.ok || answer.code === RECEIVED) return { is: 'done', value: undefined }
      watch.progress(`waiting for ${target.name}`, 0, 1)
      const isAgain = answer.isPassing || answer.code === OTHER_CHANGE
      return { is: isAgain ? 'again' : 'final', error: new FailureError(answer.failure) }
    },
    { check, limits },
  )
}
