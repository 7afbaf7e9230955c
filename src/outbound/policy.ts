import { contains, type IpAddress, type Network, parseAddress, parseNetwork } from './address.js'

/** Which addresses beyond the public ones may be called: `any` turns the check off. */
export type AllowedNetworks = 'any' | readonly Network[]

export type ParsedNetworks =
  | { readonly ok: true; readonly networks: AllowedNetworks }
  | { readonly ok: false; readonly reason: string }

/**
 * Reads the items of `--experimental-allowed-ip-networks`: blocks such as `10.0.0.0/8`, single addresses, or `any`.
 * Empty items are skipped; the reason of a failure names the bad item.
 */
export function parseNetworks(items: readonly string[]): ParsedNetworks {
  const networks: Network[] = []
  let isAny = false
  for (const item of items.map((text) => text.trim()).filter((text) => text !== '')) {
    const network = parseNetwork(item)
    if (item === 'any') isAny = true
    else if (network === undefined) return { ok: false, reason: badNetwork(item) }
    else networks.push(network)
  }
  return { ok: true, networks: isAny ? 'any' : networks }
}

function badNetwork(item: string): string {
  return `${JSON.stringify(item)} is not an IP network: expected an address, a block such as "10.0.0.0/8" whose bits after the prefix are zero, or "any"`
}

/** Whether a connection to `address` (an IP in text form) may be made. Text that is no address is refused. */
export function isAllowed(allowed: AllowedNetworks, address: string): boolean {
  if (allowed === 'any') return true
  const parsed = parseAddress(address)
  if (parsed === undefined) return false
  return isGlobal(parsed) || allowed.some((network) => contains(network, parsed))
}

function isGlobal(address: IpAddress): boolean {
  blocks ??= { global: GLOBAL_EXCEPTIONS.map(network), notGlobal: NOT_GLOBAL.map(network) }
  if (blocks.global.some((network) => contains(network, address))) return true
  return !blocks.notGlobal.some((network) => contains(network, address))
}

/** Read with the first question: most servers start often and call out rarely. */
let blocks: { readonly global: readonly Network[]; readonly notGlobal: readonly Network[] } | undefined

const network = (text: string): Network => parseNetwork(text)!

// Spec 2 §5.5. The block ::ffff:0:0/96 is missing on purpose: such an address is checked as its IPv4 address.
const NOT_GLOBAL = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '240.0.0.0/4',
  '::',
  '::1',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
]

// Globally reachable parts of 192.0.0.0/24 and 2001::/23.
const GLOBAL_EXCEPTIONS = [
  '192.0.0.9',
  '192.0.0.10',
  '2001:1::1',
  '2001:1::2',
  '2001:3::/32',
  '2001:4:112::/48',
  '2001:20::/27',
]
