import { expect, test } from 'vitest'
import { configOf, file, launch, run } from './launch.fixture.js'

test.each([
  'ignore-missing-dump',
  'ignore-dump-if-db-exists',
  'ignore-missing-snapshot',
  'ignore-snapshot-if-db-exists',
])('--%s alone is refused', async (name) => {
  const needed = name.includes('dump') ? '--import-dump' : '--import-snapshot'
  const message = `--${name} has a meaning only together with ${needed}.`
  expect(await launch({ argv: [`--${name}`] })).toEqual({ kind: 'refuse', message, exitCode: 2 })
})

test('a dump and a snapshot cannot be imported together', async () => {
  const setting = { argv: ['--import-dump', 'a'], env: { MEILI_IMPORT_SNAPSHOT: 'b' } }
  const message = '--import-dump and MEILI_IMPORT_SNAPSHOT cannot be given together.'
  expect(await launch(setting)).toEqual({ kind: 'refuse', message, exitCode: 2 })
})

const place = 's3_bucket_url = "u"\ns3_bucket_region = "r"\ns3_bucket_name = "n"\ns3_snapshot_prefix = "p"\n'
const keys = 's3_access_key = "a"\ns3_secret_key = "s"\n'
const role = 'experimental_s3_role_arn = "r"\nexperimental_s3_web_identity_token_file = "f"\n'

test('object storage is set by the four that say where and one pair of credentials', async () => {
  const s3 = async (content: string) => (await configOf(file(content))).backups.s3
  expect((await s3(place + keys))?.credentials).toEqual({ kind: 'keys', accessKey: 'a', secretKey: 's' })
  expect((await s3(place + role))?.credentials).toEqual({ kind: 'webIdentity', roleArn: 'r', tokenFilePath: '/srv/f' })
  expect(await s3(place + keys)).toMatchObject({
    maxInFlightParts: 10,
    compressionLevel: 0,
    signatureDurationMs: 28_800_000,
    partSizeBytes: 375 * 1024 ** 2,
  })
})

test.each([
  ['where it is, alone', place],
  ['credentials alone', keys],
  ['a tuning option alone', 'experimental_s3_compression_level = 1'],
  ['both pairs', place + keys + role],
  ['half a pair', `${place}s3_access_key = "a"`],
  ['half of the other pair', `${place}experimental_s3_role_arn = "a"`],
  ['one of each pair', `${place}s3_access_key = "a"\nexperimental_s3_role_arn = "a"`],
])('object storage is refused with %s: status 1 from the file, 2 from elsewhere', async (_, content) => {
  expect(await launch(file(content))).toMatchObject({ kind: 'refuse', exitCode: 1 })
  const assignments = content
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split(' = '))
  const env = Object.fromEntries(
    assignments.map(([key = '', value = '']) => [`MEILI_${key.toUpperCase()}`, value.replaceAll('"', '')]),
  )
  expect(await launch({ env })).toMatchObject({ kind: 'refuse', exitCode: 2 })
})

test('half of what encryption needs gives plain HTTP and a warning', async () => {
  const { config, warnings } = await run({ argv: ['--ssl-cert-path', 'c', '--master-key', 'sixteen bytes or more'] })
  expect(config.http.tls).toBeNull()
  expect(warnings).toEqual(['Requests are not encrypted: HTTPS needs both --ssl-cert-path and --ssl-key-path.'])
})
