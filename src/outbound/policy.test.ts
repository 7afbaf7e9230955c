import { BlockList } from 'node:net'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AllowedNetworks, isAllowed, parseNetworks } from './policy.js'

function networks(...items: string[]): AllowedNetworks {
  const parsed = parseNetworks(items)
  if (!parsed.ok) throw new Error(parsed.reason)
  return parsed.networks
}

const isPublic = (address: string) => isAllowed([], address)

describe('without allowed networks', () => {
  test.each([
    ['0.0.0.0', '0.255.255.255', '1.0.0.0'],
    ['10.0.0.0', '10.255.255.255', '11.0.0.0'],
    ['100.64.0.0', '100.127.255.255', '100.128.0.0'],
    ['127.0.0.0', '127.255.255.255', '128.0.0.0'],
    ['169.254.0.0', '169.254.255.255', '169.255.0.0'],
    ['172.16.0.0', '172.31.255.255', '172.32.0.0'],
    ['192.0.2.0', '192.0.2.255', '192.0.3.0'],
    ['192.168.0.0', '192.168.255.255', '192.169.0.0'],
    ['198.18.0.0', '198.19.255.255', '198.20.0.0'],
    ['198.51.100.0', '198.51.100.255', '198.51.101.0'],
    ['203.0.113.0', '203.0.113.255', '203.0.114.0'],
    ['64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff', '64:ff9b:2::'],
    ['100::', '100::ffff:ffff:ffff:ffff', '100:0:0:1::'],
    ['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', '2001:200::'],
    ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db9::'],
    ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2003::'],
    ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff', '3fff:1000::'],
    ['5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '5f01::'],
    ['fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'fe00::'],
    ['fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'fec0::'],
  ])('the block from %s to %s is refused and %s behind it is not', (first, last, behind) => {
    expect([first, last, behind].map(isPublic)).toEqual([false, false, true])
  })

  test.each(['240.0.0.0', '255.255.255.255', '192.0.0.8', '::', '::1', '2001:1::3', '2001:40::', '2001:4:113::'])(
    '%s is refused',
    (address) => expect(isPublic(address)).toBe(false),
  )

  test.each(['8.8.8.8', '192.0.0.9', '192.0.0.10', '2606:4700::1111', '2001:1::1', '2001:1::2', '2001:3::5'])(
    '%s is public',
    (address) => expect(isPublic(address)).toBe(true),
  )

  test.each(['2001:4:112::1', '2001:20::1', '2001:3f:ffff::'])('%s is a public part of 2001::/23', (address) => {
    expect(isPublic(address)).toBe(true)
  })

  test('an IPv4-mapped address is judged as its IPv4 address', () => {
    expect(['::ffff:127.0.0.1', '::ffff:7f00:1', '::FFFF:10.1.2.3'].map(isPublic)).toEqual([false, false, false])
    expect(['::ffff:8.8.8.8', '::ffff:808:808'].map(isPublic)).toEqual([true, true])
  })

  test('a zone does not make a link-local address public', () => {
    expect(isPublic('fe80::1%eth0')).toBe(false)
  })

  test.each(['', 'localhost', '1.2.3', '1.2.3.4.5', '::g', '8.8.8.8/32'])('%j is no address and refused', (text) => {
    expect(isPublic(text)).toBe(false)
  })
})

describe('with allowed networks', () => {
  test('addresses inside a listed block are accepted, others stay refused', () => {
    const allowed = networks('127.0.0.0/8', 'fd00::/8', '192.168.1.7')
    const judged = [
      '127.0.0.1',
      '::ffff:127.9.9.9',
      'fd12::1',
      '192.168.1.7',
      '192.168.1.8',
      '10.0.0.1',
      '::1',
      'fc00::1',
    ]
    expect(judged.map((address) => isAllowed(allowed, address))).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
      false,
      false,
    ])
  })

  test('the word any accepts everything, next to blocks too', () => {
    expect(networks('any')).toBe('any')
    expect(isAllowed(networks('10.0.0.0/8', 'any'), '127.0.0.1')).toBe(true)
  })

  test('a block of IPv4-mapped addresses is the IPv4 block', () => {
    expect(isAllowed(networks('::ffff:127.0.0.0/104'), '127.0.0.1')).toBe(true)
    expect(isAllowed(networks('::ffff:127.0.0.0/104'), '10.0.0.1')).toBe(false)
  })

  test('the whole IPv6 range does not open IPv4', () => {
    expect(isAllowed(networks('::/0'), 'fe80::1')).toBe(true)
    expect(isAllowed(networks('::/0'), '::ffff:127.0.0.1')).toBe(false)
  })

  test('blanks around items and empty items do not matter', () => {
    expect(networks(' 10.0.0.0/8 ', '')).toEqual(networks('10.0.0.0/8'))
    expect(networks()).toEqual([])
  })

  test.each([
    '127.0.0.1/8',
    'fd00::1/8',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/',
    '10.0.0.0/08',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '10.0.0/8',
    '010.0.0.0/8',
    'fe80::%1/10',
    'ANY',
    'localhost',
  ])('%j is an error that names it', (item) => {
    const parsed = parseNetworks(['10.0.0.0/8', item])
    expect(parsed).toEqual({ ok: false, reason: expect.stringContaining(JSON.stringify(item)) })
  })
})

describe('agreement with the block list of Node', () => {
  /** A block, and an address that differs from its first one in a single bit, or not at all. */
  const near = (widthBits: 32 | 128) =>
    fc
      .record({
        value: fc.bigInt({ min: 0n, max: 2n ** BigInt(widthBits) - 1n }),
        prefixBits: fc.integer({ min: 0, max: widthBits }),
        flippedBit: fc.integer({ min: 0, max: widthBits }),
      })
      .map(({ value, prefixBits, flippedBit }) => {
        const hostBits = BigInt(widthBits - prefixBits)
        const first = (value >> hostBits) << hostBits
        const address = flippedBit === widthBits ? first : first ^ (1n << BigInt(flippedBit))
        return { first: textOf(first, widthBits), prefixBits, address: textOf(address, widthBits) }
      })

  function textOf(value: bigint, widthBits: 32 | 128): string {
    const [partBits, separator, radix] = widthBits === 32 ? ([8, '.', 10] as const) : ([16, ':', 16] as const)
    const shifts = Array.from({ length: widthBits / partBits }, (_, i) => BigInt(widthBits - (i + 1) * partBits))
    return shifts.map((shift) => BigInt.asUintN(partBits, value >> shift).toString(radix)).join(separator)
  }

  test.each([
    ['ipv4', 32],
    ['ipv6', 128],
  ] as const)('holds for %s', (family, widthBits) => {
    fc.assert(
      fc.property(near(widthBits), ({ first, prefixBits, address }) => {
        const list = new BlockList()
        list.addSubnet(first, prefixBits, family)
        const expected = isPublic(address) || list.check(address, family)
        expect(isAllowed(networks(`${first}/${prefixBits}`), address)).toBe(expected)
      }),
    )
  })

  test('does not depend on how an IPv6 address is written', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const canonical = new URL(`http://[${address}]/`).hostname.slice(1, -1)
        const list = new BlockList()
        list.addAddress(canonical, 'ipv6')
        expect(list.check(address, 'ipv6')).toBe(true)
        expect(isAllowed(networks(canonical), address)).toBe(true)
        expect(networks(canonical)).toEqual(networks(address))
      }),
    )
  })
})
