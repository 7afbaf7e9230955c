import { expect, test } from 'vitest'
import { configOf, file, launch, run, surroundings } from './launch.fixture.js'
import { readConfig } from './read-config.js'

test('the named file is read, from the command line before the environment', async () => {
  const files = { '/srv/a.toml': 'db_path = "a"', '/etc/b.toml': 'db_path = "b"', '/srv/config.toml': 'db_path = "c"' }
  const env = { MEILI_CONFIG_FILE_PATH: '/etc/b.toml' }
  expect(await configOf({ files })).toMatchObject({ dbPath: '/srv/c', configFilePath: '/srv/config.toml' })
  expect(await configOf({ env, files })).toMatchObject({ dbPath: '/srv/b', configFilePath: '/etc/b.toml' })
  const argv = ['--config-file-path', 'a.toml']
  expect(await configOf({ argv, env, files })).toMatchObject({ dbPath: '/srv/a', configFilePath: '/srv/a.toml' })
})

test('a named file that is missing is refused with status 1', async () => {
  expect(await launch({ argv: ['--config-file-path', 'gone.toml'] })).toEqual({
    kind: 'refuse',
    message: 'The configuration file /srv/gone.toml cannot be read: there is no such file.',
    exitCode: 1,
  })
})

test('a default file that exists but cannot be read is refused', async () => {
  const readFile = () => {
    throw Object.assign(new Error('no'), { code: 'EACCES' })
  }
  expect(await readConfig({ ...surroundings({}), readFile })).toEqual({
    kind: 'refuse',
    message: 'The configuration file /srv/config.toml cannot be read: access is denied.',
    exitCode: 1,
  })
})

test('invalid TOML is refused with its place, without quoting the lines around it', async () => {
  const refusal = await launch(file('db_path = "x"\nmaster_key = "hunter2'))
  expect(refusal).toMatchObject({ kind: 'refuse', exitCode: 1 })
  expect(refusal).toHaveProperty('message', expect.stringContaining('is not valid TOML'))
  expect(refusal).toHaveProperty('message', expect.stringContaining('line 2'))
  expect(refusal).toHaveProperty('message', expect.not.stringContaining('hunter2'))
})

test('21.12 L200: of several names of an option in the file one counts, and the others are warned of', async () => {
  const [plain, own, other] = ['db_path = "a"', 'FINDLING_DB_PATH = "b"', 'MEILI_DB_PATH = "c"']
  const { config, warnings } = await run(file([other, own, plain].join('\n')))
  expect(config.dbPath).toBe('/srv/a')
  expect(warnings.filter((text) => text.includes('different'))).toEqual([
    'db_path in /srv/config.toml and FINDLING_DB_PATH in /srv/config.toml are set to different values: db_path in /srv/config.toml is used.',
    'db_path in /srv/config.toml and MEILI_DB_PATH in /srv/config.toml are set to different values: db_path in /srv/config.toml is used.',
  ])
  expect(await configOf(file([other, own].join('\n')))).toMatchObject({ dbPath: '/srv/b' })
  const same = await run(file('MEILI_HTTP_ADDR = "0.0.0.0:1"\nhttp_addr = "0.0.0.0:1"'))
  expect(same.warnings.filter((text) => text.includes('different'))).toEqual([])
})

test('21.12 L200: names of variables in the file follow the rules of the file', async () => {
  expect(await launch(file('MEILI_DB_PTH = "x"'))).toMatchObject({
    message: '/srv/config.toml: unknown key "MEILI_DB_PTH". Did you mean "MEILI_DB_PATH"?',
  })
  expect(await launch(file('MEILI_CONFIG_FILE_PATH = "x"'))).toMatchObject({ kind: 'refuse' })
  expect(await launch(file('MEILI_NO_ANALYTICS = "true"'))).toMatchObject({ kind: 'refuse' })
  const { config, warnings } = await run(file('MEILI_IMPORT_DUMP = "x"'))
  expect(config.backups.import).toBeNull()
  expect(warnings[0]).toMatch(/^MEILI_IMPORT_DUMP in .* has no effect/)
  expect(await configOf({ env: { MEILI_DB_PATH: 'env' }, ...file('FINDLING_DB_PATH = "f"') })).toMatchObject({
    dbPath: '/srv/env',
  })
})

test('an unknown key is refused with the one that was probably meant', async () => {
  expect(await launch(file('db_pth = "x"'))).toEqual({
    kind: 'refuse',
    message: '/srv/config.toml: unknown key "db_pth". Did you mean "db_path"?',
    exitCode: 1,
  })
})

test.each([
  'config_file_path = "x"',
  'log_level = "info"',
  'experimental_logs_mode = "json"',
  'env = "staging"',
  'no_analytics = "true"',
  'db_path = 5',
  'http_payload_size_limit = 1.5',
  'http_payload_size_limit = -1',
  'experimental_search_queue_size = "1000"',
  'experimental_search_queue_size = 5.0',
  'experimental_search_queue_size = -1',
  'experimental_allowed_ip_networks = "any"',
  'experimental_allowed_ip_networks = [5]',
  'experimental_allowed_ip_networks = ["127.0.0.1/8"]',
  'schedule_snapshot = "60"',
  'max_indexing_threads = true',
  'import_dump = 5',
  'db_path = 2020-01-01',
  '[http]\naddr = "x"',
  '__proto__ = 5',
])('%j in the file is refused with status 1', async (content) => {
  const refusal = await launch(file(content))
  expect(refusal).toMatchObject({ kind: 'refuse', exitCode: 1 })
  expect(refusal).toHaveProperty('message', expect.stringMatching(/^[^\n]*\/srv\/config\.toml[^\n]*$/))
})

test('imports asked for in the file have no effect, which is said', async () => {
  const keys = ['import_dump = "x"', 'ignore_missing_dump = true', 'ignore_dump_if_db_exists = true']
  const others = ['import_snapshot = "x"', 'ignore_missing_snapshot = true', 'ignore_snapshot_if_db_exists = true']
  const { config, warnings } = await run({
    argv: ['--master-key', 'sixteen bytes or more'],
    ...file([...keys, ...others].join('\n')),
  })
  expect(config.backups.import).toBeNull()
  expect(warnings).toHaveLength(6)
  expect(warnings[0]).toMatch(/^import_dump in .* has no effect/)
})

test('a byte order mark before the file does no harm', async () => {
  expect((await configOf(file('\uFEFFdb_path = "x"'))).dbPath).toBe('/srv/x')
})
