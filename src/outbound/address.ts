import { isIPv4, isIPv6 } from 'node:net'

/** An address as one number, so that "inside a block" is a shift and a comparison. */
export interface IpAddress {
  readonly family: 4 | 6
  readonly value: bigint
}

/** A block of addresses. The bits behind `prefixBits` are zero in `first`. */
export interface Network {
  readonly family: 4 | 6
  readonly first: bigint
  readonly prefixBits: number
}

const WIDTH_BITS = { 4: 32, 6: 128 } as const
// ::ffff:0:0/96: an IPv4 address written as an IPv6 one.
const MAPPED_PREFIX_BITS = 96
const MAPPED_TOP = 0xffffn

/**
 * The address a connection would really go to: an IPv4-mapped IPv6 address is its IPv4 address (spec 2 §5.5).
 * A zone (`%eth0`) names a network card, not another address, and is left out.
 */
export function parseAddress(text: string): IpAddress | undefined {
  const written = readAddress(text.split('%', 1)[0]!)
  if (written === undefined || !isMapped(written)) return written
  return { family: 4, value: written.value & 0xffffffffn }
}

/** Reads `10.0.0.0/8` or a single address. Undefined when it is neither, or when bits behind the prefix are set. */
export function parseNetwork(text: string): Network | undefined {
  const [addressText = '', prefixText, ...rest] = text.split('/')
  const address = readAddress(addressText)
  if (address === undefined || rest.length > 0) return undefined
  const prefixBits = prefixText === undefined ? WIDTH_BITS[address.family] : readPrefix(prefixText, address.family)
  if (prefixBits === undefined || hasHostBits(address, prefixBits)) return undefined
  if (isMapped(address) && prefixBits >= MAPPED_PREFIX_BITS) {
    return { family: 4, first: address.value & 0xffffffffn, prefixBits: prefixBits - MAPPED_PREFIX_BITS }
  }
  return { family: address.family, first: address.value, prefixBits }
}

export function contains(network: Network, address: IpAddress): boolean {
  if (network.family !== address.family) return false
  return (network.first ^ address.value) >> BigInt(WIDTH_BITS[network.family] - network.prefixBits) === 0n
}

function readAddress(text: string): IpAddress | undefined {
  if (isIPv4(text)) return { family: 4, value: ipv4Value(text) }
  if (isIPv6(text) && !text.includes('%')) return { family: 6, value: ipv6Value(text) }
  return undefined
}

function isMapped({ family, value }: IpAddress): boolean {
  return family === 6 && value >> 32n === MAPPED_TOP
}

function readPrefix(text: string, family: 4 | 6): number | undefined {
  if (!/^(?:0|[1-9]\d{0,2})$/.test(text)) return undefined
  const bits = Number(text)
  return bits <= WIDTH_BITS[family] ? bits : undefined
}

function hasHostBits({ family, value }: IpAddress, prefixBits: number): boolean {
  const hostBits = BigInt(WIDTH_BITS[family] - prefixBits)
  return (value >> hostBits) << hostBits !== value
}

function ipv4Value(text: string): bigint {
  return text.split('.').reduce((value, part) => (value << 8n) | BigInt(part), 0n)
}

/** `text` is valid: at most one `::`, which stands for as many zero groups as are missing to eight. */
function ipv6Value(text: string): bigint {
  const [head = '', tail] = text.split('::')
  const left = groups(head)
  const right = groups(tail ?? '')
  const zeros = new Array<bigint>(8 - left.length - right.length).fill(0n)
  return [...left, ...zeros, ...right].reduce((value, group) => (value << 16n) | group, 0n)
}

/** The 16-bit groups of one side of `::`. A dotted IPv4 ending counts as two groups. */
function groups(side: string): bigint[] {
  if (side === '') return []
  return side.split(':').flatMap((part) => {
    if (!part.includes('.')) return [BigInt(`0x${part}`)]
    const value = ipv4Value(part)
    return [value >> 16n, value & 0xffffn]
  })
}
