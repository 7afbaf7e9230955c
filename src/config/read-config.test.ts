import { expect, test } from 'vitest'
import { configOf, file, launch, run } from './launch.fixture.js'
import { environmentNameOf, fileKeyOf } from './option.js'
import { optionCases } from './options.fixture.js'
import { options } from './options.js'

test('without any source every option has its default', async () => {
  expect(await configOf({})).toEqual({
    configFilePath: null,
    dbPath: '/srv/data.ms',
    hasDashboard: true,
    environment: 'development',
    masterKey: null,
    errorsUrl: 'https://docs.meilisearch.com/errors',
    http: { host: 'localhost', port: 7700, payloadLimitBytes: 100_000_000, tls: null },
    log: { level: 'INFO', mode: 'HUMAN' },
    indexing: {
      maxMemoryBytes: 2 * 1024 ** 3,
      maxThreads: 4,
      reduceMemoryUsage: false,
      maxBatchedTasks: Number.POSITIVE_INFINITY,
      maxBatchedBytes: 1024 ** 3,
      replicationParameters: false,
    },
    search: {
      queueSize: 1000,
      dropAfterMs: 60_000,
      searchesPerCore: 4,
      personalizationApiKey: null,
      exhaustiveVectorsBelow: 300_000,
      exhaustiveVectorsBelowRatio: 0.1,
    },
    embedding: {
      cacheEntries: 0,
      requestTimeoutMs: 30_000,
      maxRetryMs: 60_000,
      ignoresTemplateFailures: false,
      ignoresEmbedderFailures: false,
      openAiApiKey: null,
      ollamaUrl: 'http://localhost:11434/api/embeddings',
    },
    webhooks: { commandLine: null, signingKey: null, maxRetries: 0 },
    outgoing: {
      allowedNetworks: [],
      remoteSearchTimeoutMs: 25_000,
      proxyConnectTimeoutMs: 3000,
      proxyBackoffTimeoutMs: 25_000,
      proxyRequestTimeoutMs: 30_000,
    },
    backups: {
      dumpsPath: '/srv/dumps',
      snapshotsPath: '/srv/snapshots',
      snapshotIntervalMs: null,
      compactSnapshots: true,
      s3: null,
      import: null,
      upgradeInPlace: false,
    },
    features: { metrics: false, logsRoute: false, containsFilter: false, legacySearchDefault: false },
    cluster: null,
  })
})

test('the cases below name every option once', () => {
  expect(optionCases.map(({ name }) => name).sort()).toEqual(Object.keys(options).sort())
})

const someFile = { '/srv/my.toml': '' }

test.each(optionCases)(
  '--$name is read from the command line',
  async ({ name, text, pick, expected, alongside = [] }) => {
    const argv = [`--${name}`, ...(text === null ? [] : [text]), ...alongside]
    expect(pick(await configOf({ argv, files: someFile }))).toEqual(expected)
  },
)

for (const prefix of ['FINDLING_', 'MEILI_']) {
  test.each(optionCases)(`--$name is read from its variable with ${prefix}`, async (optionCase) => {
    const { name, text, pick, expected, alongside: argv = [] } = optionCase
    const env = { [prefix + environmentNameOf(name, options[name])]: text ?? 'true' }
    expect(pick(await configOf({ argv, env, files: someFile }))).toEqual(expected)
  })
}

test.each(optionCases.filter(({ toml }) => toml !== null))(
  '21.12 L200: --$name is read from the file by the names of its variables',
  async (optionCase) => {
    const { name, toml, pick, expected, alongside: argv = [] } = optionCase
    for (const prefix of ['FINDLING_', 'MEILI_']) {
      const key = prefix + environmentNameOf(name, options[name])
      expect(pick(await configOf({ argv, ...file(`${key} = ${toml}`) }))).toEqual(expected)
    }
  },
)

test.each(optionCases.filter(({ toml }) => toml !== null))('--$name is read from the file', async (optionCase) => {
  const { name, toml, pick, expected, alongside: argv = [] } = optionCase
  expect(pick(await configOf({ argv, ...file(`${fileKeyOf(name)} = ${toml}`) }))).toEqual(expected)
})

test('the command line is stronger than the environment, the environment stronger than the file', async () => {
  const env = { MEILI_DUMP_DIR: 'env', MEILI_DB_PATH: 'env' }
  const content = 'dump_dir = "file"\ndb_path = "file"\nsnapshot_dir = "file"'
  const config = await configOf({ argv: ['--db-path', 'flag'], env, ...file(content) })
  expect([config.dbPath, config.backups.dumpsPath, config.backups.snapshotsPath]).toEqual([
    '/srv/flag',
    '/srv/env',
    '/srv/file',
  ])
})

test('a variable with our own prefix wins, and a clash is reported without the values', async () => {
  const env = { FINDLING_MASTER_KEY: 'ours-ours-ours-ours', MEILI_MASTER_KEY: 'theirs-theirs-theirs' }
  const { config, warnings } = await run({ env })
  expect(config.masterKey).toBe('ours-ours-ours-ours')
  expect(warnings).toEqual([
    'FINDLING_MASTER_KEY and MEILI_MASTER_KEY are set to different values: FINDLING_MASTER_KEY is used.',
  ])
})

test('two variables that agree are not worth a warning', async () => {
  const env = { FINDLING_MASTER_KEY: 'the same key for both', MEILI_MASTER_KEY: 'the same key for both' }
  expect((await run({ env })).warnings).toEqual([])
})

test('a variable that the command line overrides is not even read', async () => {
  expect((await configOf({ argv: ['--no-analytics'], env: { MEILI_NO_ANALYTICS: '1' } })).dbPath).toBe('/srv/data.ms')
})

test('a misspelt variable is reported, one that platforms set is not', async () => {
  const argv = ['--master-key', '0123456789abcdef']
  const env = { FINDLING_DB_PAHT: 'x', MEILI_SERVICE_HOST: 'x', MEILI_SERVER_PROVIDER: 'x' }
  expect((await run({ argv, env })).warnings).toEqual([
    'FINDLING_DB_PAHT is not an option. Did you mean FINDLING_DB_PATH?',
  ])
})

// Flags, spec 1 §6.1 and §8 case 59

test.each(['1', '', 'yes', 'TRUE', '0'])('a flag in the environment refuses %j', async (text) => {
  expect(await launch({ env: { MEILI_NO_ANALYTICS: text } })).toEqual({
    kind: 'refuse',
    message: `MEILI_NO_ANALYTICS: expected \`true\` or \`false\`, found ${JSON.stringify(text)}.`,
    exitCode: 2,
  })
})

test('a flag takes no value on the command line', async () => {
  expect(await launch({ argv: ['--no-analytics=true'] })).toEqual({
    kind: 'refuse',
    message: '--no-analytics takes no value: leave it out to switch it off.',
    exitCode: 2,
  })
  expect(await launch({ argv: ['--no-analytics', 'true'] })).toMatchObject({ kind: 'refuse', exitCode: 2 })
})

test('a flag that is false in the environment asks for nothing', async () => {
  expect((await configOf({ env: { MEILI_IGNORE_MISSING_DUMP: 'false' } })).backups.import).toBeNull()
})

// Values

test.each(['info', 'Info', 'INFO'])('words may have any case outside the file: %s', async (word) => {
  expect((await configOf({ argv: ['--log-level', word] })).log.level).toBe('INFO')
  expect((await configOf({ env: { MEILI_LOG_LEVEL: word } })).log.level).toBe('INFO')
})

test.each([
  [[], null],
  [['--schedule-snapshot'], 86_400_000],
  [['--schedule-snapshot', '--no-analytics'], 86_400_000],
  [['--schedule-snapshot=10'], 10_000],
  [['--schedule-snapshot', '10'], 10_000],
])('the schedule of snapshots for %j is %j', async (argv, expected) => {
  expect((await configOf({ argv })).backups.snapshotIntervalMs).toBe(expected)
})

test('an empty schedule in the environment means none', async () => {
  expect((await configOf({ env: { MEILI_SCHEDULE_SNAPSHOT: '' } })).backups.snapshotIntervalMs).toBeNull()
})

test.each([
  ['true', 86_400_000],
  ['false', null],
  ['5', 5000],
])('schedule_snapshot = %s in the file', async (toml, expected) => {
  expect((await configOf(file(`schedule_snapshot = ${toml}`))).backups.snapshotIntervalMs).toBe(expected)
})

test.each(['unlimited', '', '0'])('max-indexing-threads %j means the default', async (text) => {
  expect((await configOf({ env: { MEILI_MAX_INDEXING_THREADS: text } })).indexing.maxThreads).toBe(4)
})

test('a size in the file may be a plain integer', async () => {
  expect((await configOf(file('http_payload_size_limit = 1_000'))).http.payloadLimitBytes).toBe(1000)
})

test('the size of a batch is half of the memory for indexing, at most 10 GiB', async () => {
  const configFor = (memory: string) => configOf({ argv: ['--max-indexing-memory', memory] })
  expect((await configFor('1000 B')).indexing.maxBatchedBytes).toBe(500)
  expect((await configFor('64 GiB')).indexing.maxBatchedBytes).toBe(10 * 1024 ** 3)
})

test.each([
  ['localhost:7700', 'localhost', 7700],
  ['0.0.0.0:0', '0.0.0.0', 0],
  ['[::1]:65535', '::1', 65_535],
  ['::1:80', '::1', 80],
])('%s is an address to listen on', async (text, host, port) => {
  expect((await configOf({ argv: ['--http-addr', text] })).http).toMatchObject({ host, port })
})

test.each([
  ['any', 'any'],
  ['', []],
  ['10.0.0.0/8', [{ family: 4, first: 0x0a000000n, prefixBits: 8 }]],
])('the networks %j', async (text, expected) => {
  const { outgoing } = await configOf({ argv: ['--experimental-allowed-ip-networks', text] })
  expect(outgoing.allowedNetworks).toEqual(expected)
})

test('the header of the webhook is ignored without its URL', async () => {
  expect((await configOf({ argv: ['--task-webhook-authorization-header', 'x'] })).webhooks.commandLine).toBeNull()
})

test('a blank key for personalization leaves it off', async () => {
  expect(
    (await configOf({ argv: ['--experimental-personalization-api-key', ' '] })).search.personalizationApiKey,
  ).toBeNull()
})

test.each([
  ['--env', 'staging'],
  ['--env', 'Production'],
  ['--log-level', 'LOUD'],
  ['--http-addr', 'localhost'],
  ['--http-addr', 'localhost:65536'],
  ['--http-addr', 'http://localhost:7700'],
  ['--http-addr', ':7700'],
  ['--db-path', ''],
  ['--http-payload-size-limit', 'big'],
  ['--max-indexing-threads', '-1'],
  ['--experimental-search-queue-size', '1.5'],
  ['--experimental-search-queue-size', '-1'],
  ['--experimental-search-queue-size', ''],
  ['--experimental-drop-search-after', '0'],
  ['--experimental-nb-searches-per-core', '0'],
  ['--schedule-snapshot', 'daily'],
  ['--schedule-snapshot', '0'],
  ['--task-webhook-url', 'example.com'],
  ['--task-webhook-max-retries', 'some'],
  ['--errors-url', 'errors'],
  ['--experimental-allowed-ip-networks', '127.0.0.1/8'],
  ['--experimental-s3-max-in-flight-parts', '0'],
  ['--experimental-s3-compression-level', '10'],
  ['--experimental-s3-multipart-part-size', '9 MiB'],
  ['--experimental-s3-multipart-part-size', '9 GiB'],
])('%s %j is refused with status 2, naming option and value', async (name, text) => {
  const refusal = await launch({ argv: [name, text] })
  expect(refusal).toMatchObject({ kind: 'refuse', exitCode: 2 })
  expect(refusal).toHaveProperty('message', expect.stringMatching(/^[^\n]+: expected [^\n]+\.$/))
  expect(refusal).toHaveProperty('message', expect.stringContaining(JSON.stringify(text)))
})

test('a wrong secret is not repeated', async () => {
  const refusal = await launch({ env: { MEILI_TASK_WEBHOOK_SECRET: 'hunter2' } })
  expect(refusal).toEqual({
    kind: 'refuse',
    message: 'MEILI_TASK_WEBHOOK_SECRET: expected "whsec_" followed by 24 to 64 bytes in base64, found something else.',
    exitCode: 2,
  })
})

// The command line

test('an unknown option is refused with the one that was probably meant', async () => {
  expect(await launch({ argv: ['--db-pth', 'x'] })).toEqual({
    kind: 'refuse',
    message: "Unknown option '--db-pth'. Did you mean --db-path?",
    exitCode: 2,
  })
})

test.each([[['--db-path']], [['serve']], [['--wholly-unlike-anything']], [['--analytics']]])(
  '%j is refused with status 2',
  async (argv) => {
    expect(await launch({ argv })).toMatchObject({ kind: 'refuse', exitCode: 2 })
  },
)

test('the version is ours and that of the interface', async () => {
  const version = { kind: 'print', text: expect.stringMatching(/^findling \d+\.\d+\.\d+ \(interface 1\.49\.0\)\n$/) }
  expect(await launch({ argv: ['--version'] })).toEqual(version)
  expect(await launch({ argv: ['-V'] })).toEqual(version)
})

test('the help names every option', async () => {
  const help = await launch({ argv: ['--help'] })
  if (help.kind !== 'print') throw new Error('no help')
  const named = [...help.text.matchAll(/^ {2}--([a-z0-9-]+)/gm)].map((match) => match[1])
  expect(named.sort()).toEqual(Object.keys(options).sort())
})
