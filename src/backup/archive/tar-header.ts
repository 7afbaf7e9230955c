export interface TarMember {
  /** With `/` between the parts. */
  readonly name: string
  readonly kind: 'file' | 'folder'
  readonly sizeBytes: number
  readonly modified: Date
}

/** Headers and content fill whole blocks. */
const BLOCK_BYTES = 512

/** After the last member. */
export const TAR_END = Buffer.alloc(2 * BLOCK_BYTES)

/** The zeros behind content of this size. */
export const tarPadding = (sizeBytes: number): Uint8Array => Buffer.alloc(-sizeBytes & (BLOCK_BYTES - 1))

/** Where the fields of a header begin (POSIX.1-1988, ustar), and how many bytes they have. */
const FIELDS = {
  name: [0, 100],
  mode: [100, 8],
  owner: [108, 8],
  group: [116, 8],
  size: [124, 12],
  modified: [136, 12],
  checksum: [148, 8],
  type: [156, 1],
  magic: [257, 8],
} as const

const TYPES = { file: '0', folder: '5', pax: 'x' } as const
const MODES = { file: 0o644, folder: 0o755, pax: 0o644 } as const

/** Eleven octal digits. */
const MAX_SIZE = 8 ** 11 - 1

/** The header of a member; what does not fit into one comes before it, in a pax header (POSIX.1-2001). */
export function tarHeader(member: TarMember): Buffer {
  const { kind, sizeBytes } = member
  const name = kind === 'folder' ? `${member.name}/` : member.name
  const records = [
    ...(isShortName(name) ? [] : [paxRecord('path', name)]),
    ...(sizeBytes <= MAX_SIZE ? [] : [paxRecord('size', String(sizeBytes))]),
  ]
  const header = block({ ...member, name, sizeBytes: Math.min(sizeBytes, MAX_SIZE) })
  if (records.length === 0) return header
  const pax = Buffer.from(records.join(''))
  const before = block({ ...member, name: 'PaxHeader', kind: 'pax', sizeBytes: pax.length })
  return Buffer.concat([before, pax, tarPadding(pax.length), header])
}

const isShortName = (name: string): boolean => /^[\x20-\x7e]*$/.test(name) && name.length <= FIELDS.name[1]

/** The length at the front counts itself. */
function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`
  const restBytes = Buffer.byteLength(rest)
  let length = restBytes + String(restBytes).length
  if (restBytes + String(length).length > length) length++
  return `${length}${rest}`
}

type HeaderBlock = Omit<TarMember, 'kind'> & { readonly kind: keyof typeof TYPES }

function block({ name, kind, sizeBytes, modified }: HeaderBlock): Buffer {
  const bytes = Buffer.alloc(BLOCK_BYTES)
  const put = (field: keyof typeof FIELDS, text: string): void => {
    const [at, length] = FIELDS[field]
    bytes.write(text, at, length, 'latin1')
  }
  const putOctal = (field: keyof typeof FIELDS, value: number): void =>
    put(field, value.toString(8).padStart(FIELDS[field][1] - 1, '0'))
  put('name', name)
  putOctal('mode', MODES[kind])
  putOctal('owner', 0)
  putOctal('group', 0)
  putOctal('size', sizeBytes)
  putOctal('modified', Math.floor(modified.getTime() / 1000))
  put('type', TYPES[kind])
  put('magic', 'ustar\x0000')
  put('checksum', ' '.repeat(8))
  const sum = bytes.reduce((total, byte) => total + byte, 0)
  put('checksum', `${sum.toString(8).padStart(6, '0')}\0 `)
  return bytes
}
