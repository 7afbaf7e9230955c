/** The parts of `package-lock.json` that matter here. */
export interface Lockfile {
  packages: Record<string, LockedPackage>
}

interface LockedPackage {
  readonly version?: string
  readonly integrity?: string
  readonly resolved?: string
  readonly dev?: boolean
  readonly optional?: boolean
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly libc?: readonly string[]
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

interface MissingPackage {
  readonly name: string
  readonly version: string
  readonly isDev: boolean
}

/** What the registry says about the bytes of a package; undefined when it does not hold it. */
export type IntegrityOf = (name: string, version: string) => string | undefined

const SYSTEMS = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32']
const PROCESSORS = ['arm', 'arm64', 'ia32', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64']

/** Optional packages (binaries for other platforms) that a package names and the lockfile does not hold. */
export function missingOptionals({ packages }: Lockfile): MissingPackage[] {
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {}, dev = false }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !packages[`${path}/node_modules/${name}`] && !packages[`node_modules/${name}`])
      .map(([name, version]) => ({ name, version, isDev: dev })),
  )
}

/** Packages that `npm ci` would install whatever bytes a registry sends: `name@version`. */
export function withoutIntegrity({ packages }: Lockfile): string[] {
  return Object.entries(packages)
    .filter(([path, { integrity }]) => path !== '' && integrity === undefined)
    .map(([path, { version }]) => `${nameOf(path)}@${version}`)
}

/**
 * Adds the missing ones, and the integrity of those that have none. The platform is read from the name, so that `npm ci`
 * passes over foreign binaries. Answers what the registry does not hold: it is not in the lockfile, or not complete.
 */
export function completeLockfile(lockfile: Lockfile, integrityOf: IntegrityOf): string[] {
  for (const { name, version, isDev } of missingOptionals(lockfile)) {
    lockfile.packages[`node_modules/${name}`] = {
      version,
      ...platformOf(name),
      ...(isDev ? { dev: true } : {}),
      optional: true,
    }
  }
  for (const [path, entry] of Object.entries(lockfile.packages)) {
    if (path === '' || entry.integrity !== undefined || entry.version === undefined) continue
    const integrity = integrityOf(nameOf(path), entry.version)
    if (integrity === undefined) continue
    const { version, ...rest } = entry
    lockfile.packages[path] = { version, integrity, ...rest }
  }
  const sorted = Object.entries(lockfile.packages).sort(([a], [b]) => a.localeCompare(b, 'en'))
  lockfile.packages = Object.fromEntries(sorted)
  return withoutIntegrity(lockfile)
}

const FOLDER = 'node_modules/'

const nameOf = (path: string): string => path.slice(path.lastIndexOf(FOLDER) + FOLDER.length)

function platformOf(name: string): Pick<LockedPackage, 'os' | 'cpu' | 'libc'> {
  const words = name.split(/[/-]/)
  const os = SYSTEMS.filter((system) => words.includes(system))
  const cpu = PROCESSORS.filter((processor) => words.includes(processor))
  const libc = words.some((word) => word.startsWith('musl')) ? ['musl'] : ['glibc']
  return {
    ...(cpu.length > 0 ? { cpu } : {}),
    ...(os[0] === 'linux' ? { libc } : {}),
    ...(os.length > 0 ? { os } : {}),
  }
}
