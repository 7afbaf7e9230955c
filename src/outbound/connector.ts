import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import { type AllowedNetworks, isAllowed } from './policy.js'
import { type OutboundError, problemError } from './problem.js'

export interface ResolvedAddress {
  readonly address: string
  readonly family: number
}

/** All addresses of a host name. Rejects with an error that has a `code` when there are none. */
export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>

export const systemResolve: Resolve = (hostname) => lookup(hostname, { all: true })

export interface ConnectorOptions {
  readonly networks: AllowedNetworks
  readonly resolve: Resolve
  readonly connectTimeoutMs: number
}

/**
 * Opens sockets to allowed addresses only. The check sits inside the connection: the socket gets exactly the
 * addresses that were checked, so a name that resolves differently the next time changes nothing.
 */
export function guardedConnector({ networks, resolve, connectTimeoutMs }: ConnectorOptions): buildConnector.connector {
  const connect = buildConnector({
    timeout: connectTimeoutMs,
    autoSelectFamily: true,
    lookup: guardedLookup(networks, resolve),
  } as buildConnector.BuildOptions)
  return (target, callback) => {
    // Sockets do not look up literal addresses.
    if (isIP(target.hostname) === 0 || isAllowed(networks, target.hostname)) return connect(target, callback)
    process.nextTick(callback, refusal(target.hostname, target.hostname), null)
  }
}

function guardedLookup(networks: AllowedNetworks, resolve: Resolve): LookupFunction {
  return (hostname, _options, callback) => {
    checkedAddresses(hostname, networks, resolve).then(
      (addresses) => callback(null, addresses),
      (error: NodeJS.ErrnoException) => callback(error, []),
    )
  }
}

/** One forbidden address among several refuses the whole name (spec 2 §5.5). */
async function checkedAddresses(hostname: string, networks: AllowedNetworks, resolve: Resolve) {
  const addresses = await resolve(hostname)
  const forbidden = addresses.find(({ address }) => !isAllowed(networks, address))
  if (forbidden !== undefined) throw refusal(hostname, forbidden.address)
  return addresses.map(({ address, family }) => ({ address, family }))
}

function refusal(hostname: string, address: string): OutboundError {
  const target = hostname === address ? address : `${address}, an address of ${hostname},`
  return problemError(
    'refused-address',
    `${target} is not a public address and in no network of --experimental-allowed-ip-networks`,
  )
}
