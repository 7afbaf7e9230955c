import type { AllowedNetworks } from '../outbound/index.js'
import { EXIT_FAILURE, EXIT_USAGE, LaunchError } from './launch-error.js'
import type { OptionValues } from './options.js'
import type { SetOptions } from './set-options.js'

const NAME = 'experimental-allowed-ip-networks'

/** Reads the list of networks that outgoing requests may reach, in the words of those who enforce it. */
export async function readNetworks(given: SetOptions, values: OptionValues): Promise<AllowedNetworks> {
  const entry = given.get(NAME)
  if (!entry) return []
  // Loaded only here: it brings an HTTP client along, for which --help should not wait.
  const { parseNetworks } = await import('../outbound/index.js')
  const parsed = parseNetworks(values[NAME])
  if (parsed.ok) return parsed.networks
  const exitCode = entry.source === 'file' ? EXIT_FAILURE : EXIT_USAGE
  throw new LaunchError(`${entry.label}: ${parsed.reason}.`, { exitCode })
}
