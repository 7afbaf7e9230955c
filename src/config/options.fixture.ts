import type { Config } from './config.js'
import type { OptionName } from './options.js'

/** One way to set an option, and what becomes of it. */
export interface OptionCase {
  readonly name: OptionName
  /** As an argument or variable; null: a flag. */
  readonly text: string | null
  /** As the right side in TOML; null: the file has no say. */
  readonly toml: string | null
  readonly pick: (config: Config) => unknown
  readonly expected: unknown
  /** Flags that have to be there as well. */
  readonly alongside?: readonly string[]
}

const S3_PLACE = [
  '--s3-bucket-url',
  'u',
  '--s3-bucket-region',
  'r',
  '--s3-bucket-name',
  'n',
  '--s3-snapshot-prefix',
  'p',
]
const S3_KEYS = ['--s3-access-key', 'a', '--s3-secret-key', 's']
const S3_ROLE = ['--experimental-s3-role-arn', 'a', '--experimental-s3-web-identity-token-file', 't']
const TLS = ['--ssl-cert-path', 'c.pem', '--ssl-key-path', 'k.pem']
const SECRET = Buffer.from('a secret of twenty-four!')

const CLUSTER = ['--cluster-name', 'shop']
const CHILD = [...CLUSTER, '--cluster-nats', 'child', '--cluster-replicas', '1']

/** Leaves out one option and its value. */
const without = (flags: readonly string[], name: string) => {
  const at = flags.indexOf(`--${name}`)
  return [...flags.slice(0, at), ...flags.slice(at + 2)]
}

const flag = (name: OptionName, pick: OptionCase['pick'], rest: Partial<OptionCase> = {}): OptionCase => ({
  name,
  text: null,
  toml: 'true',
  pick,
  expected: true,
  ...rest,
})

const quoted = (name: OptionName, text: string, [pick, expected]: [OptionCase['pick'], unknown]): OptionCase => ({
  name,
  text,
  toml: JSON.stringify(text),
  pick,
  expected,
})

const cluster = (
  name: OptionName,
  [text, toml]: readonly [text: string, toml: string],
  [pick, expected]: [(cluster: NonNullable<Config['cluster']>) => unknown, unknown],
): OptionCase => ({
  name,
  text,
  toml,
  pick: (config) => config.cluster && pick(config.cluster),
  expected,
  alongside: name === 'cluster-name' ? [] : CLUSTER,
})

const same = (text: string): [string, string] => [text, JSON.stringify(text)]

/** What only a nats-server has that is started by this server. */
const child = (given: OptionCase): OptionCase => ({ ...given, alongside: CHILD })

const s3 = (
  name: OptionName,
  text: string,
  pick: (s3: NonNullable<Config['backups']['s3']>) => unknown,
): OptionCase => ({
  ...quoted(name, text, [(config) => config.backups.s3 && pick(config.backups.s3), text]),
  alongside: [...without(S3_PLACE, name), ...S3_KEYS],
})

const number = (name: OptionName, count: number, [pick, expected]: [OptionCase['pick'], unknown]): OptionCase => ({
  name,
  text: `${count}`,
  toml: `${count}`,
  pick,
  expected,
})

/** Every option once. Relative paths are resolved against /srv. */
export const optionCases: readonly OptionCase[] = [
  { name: 'config-file-path', text: 'my.toml', toml: null, pick: (c) => c.configFilePath, expected: '/srv/my.toml' },
  quoted('db-path', 'files', [(c) => c.dbPath, '/srv/files']),
  quoted('http-addr', '[::1]:80', [(c) => [c.http.host, c.http.port], ['::1', 80]]),
  quoted('master-key', 'a long enough key', [(c) => c.masterKey, 'a long enough key']),
  {
    ...quoted('env', 'production', [(c) => c.environment, 'production']),
    alongside: ['--master-key', '0123456789abcdef'],
  },
  flag('dashboard', (c) => c.hasDashboard),
  flag('no-analytics', () => true),
  quoted('http-payload-size-limit', '100Mb', [(c) => c.http.payloadLimitBytes, 12_500_000]),
  quoted('errors-url', 'https://example.com/e', [(c) => c.errorsUrl, 'https://example.com/e']),
  quoted('log-level', 'DEBUG', [(c) => c.log.level, 'DEBUG']),
  quoted('experimental-logs-mode', 'JSON', [(c) => c.log.mode, 'JSON']),
  quoted('max-indexing-memory', '2 GiB', [(c) => c.indexing.maxMemoryBytes, 2 * 1024 ** 3]),
  number('max-indexing-threads', 3, [(c) => c.indexing.maxThreads, 3]),
  flag('experimental-reduce-indexing-memory-usage', (c) => c.indexing.reduceMemoryUsage),
  number('experimental-max-number-of-batched-tasks', 0, [(c) => c.indexing.maxBatchedTasks, 0]),
  quoted('experimental-limit-batched-tasks-total-size', '1 KB', [(c) => c.indexing.maxBatchedBytes, 1000]),
  flag('experimental-replication-parameters', (c) => c.indexing.replicationParameters),
  flag('experimental-no-edition-2024-for-settings', () => true),
  flag('experimental-no-edition-2024-for-dumps', () => true),
  number('experimental-search-queue-size', 0, [(c) => c.search.queueSize, 0]),
  number('experimental-drop-search-after', 5, [(c) => c.search.dropAfterMs, 5000]),
  number('experimental-nb-searches-per-core', 1, [(c) => c.search.searchesPerCore, 1]),
  number('experimental-embedding-cache-entries', 7, [(c) => c.embedding.cacheEntries, 7]),
  quoted('experimental-personalization-api-key', 'k', [(c) => c.search.personalizationApiKey, 'k']),
  quoted('task-webhook-url', 'http://h', [(c) => c.webhooks.commandLine, { url: 'http://h/', authorization: null }]),
  {
    ...quoted('task-webhook-authorization-header', 'Bearer x', [
      (c) => c.webhooks.commandLine?.authorization,
      'Bearer x',
    ]),
    alongside: ['--task-webhook-url', 'http://h'],
  },
  quoted('task-webhook-secret', `whsec_${SECRET.toString('base64')}`, [
    (c) => c.webhooks.signingKey && Buffer.from(c.webhooks.signingKey),
    SECRET,
  ]),
  number('task-webhook-max-retries', 4, [(c) => c.webhooks.maxRetries, 4]),
  {
    name: 'experimental-allowed-ip-networks',
    text: '10.0.0.0/8, ::1',
    toml: '["10.0.0.0/8", "::1"]',
    pick: (c) => c.outgoing.allowedNetworks,
    expected: [
      { family: 4, first: 0x0a000000n, prefixBits: 8 },
      { family: 6, first: 1n, prefixBits: 128 },
    ],
  },
  quoted('dump-dir', 'd', [(c) => c.backups.dumpsPath, '/srv/d']),
  {
    ...quoted('import-dump', '/x.dump', [(c) => c.backups.import?.path, '/x.dump']),
    toml: null,
  },
  flag('ignore-missing-dump', (c) => c.backups.import?.ignoreMissing, {
    toml: null,
    alongside: ['--import-dump', 'x'],
  }),
  flag('ignore-dump-if-db-exists', (c) => c.backups.import?.ignoreIfDbExists, {
    toml: null,
    alongside: ['--import-dump', 'x'],
  }),
  quoted('snapshot-dir', 's', [(c) => c.backups.snapshotsPath, '/srv/s']),
  { ...quoted('import-snapshot', 'x', [(c) => c.backups.import?.path, '/srv/x']), toml: null },
  flag('ignore-missing-snapshot', (c) => c.backups.import?.ignoreMissing, {
    toml: null,
    alongside: ['--import-snapshot', 'x'],
  }),
  flag('ignore-snapshot-if-db-exists', (c) => c.backups.import?.ignoreIfDbExists, {
    toml: null,
    alongside: ['--import-snapshot', 'x'],
  }),
  number('schedule-snapshot', 60, [(c) => c.backups.snapshotIntervalMs, 60_000]),
  flag('experimental-no-snapshot-compaction', (c) => !c.backups.compactSnapshots),
  flag('experimental-dumpless-upgrade', (c) => c.backups.upgradeInPlace),
  s3('s3-bucket-url', 'https://s3', (s) => s.bucketUrl),
  s3('s3-bucket-region', 'eu', (s) => s.bucketRegion),
  s3('s3-bucket-name', 'b', (s) => s.bucketName),
  s3('s3-snapshot-prefix', 'nightly', (s) => s.snapshotPrefix),
  {
    ...s3('s3-access-key', 'k', (s) => s.credentials.kind === 'keys' && s.credentials.accessKey),
    alongside: [...S3_PLACE, ...without(S3_KEYS, 's3-access-key')],
  },
  {
    ...s3('s3-secret-key', 'k', (s) => s.credentials.kind === 'keys' && s.credentials.secretKey),
    alongside: [...S3_PLACE, ...without(S3_KEYS, 's3-secret-key')],
  },
  {
    ...s3('experimental-s3-role-arn', 'arn', (s) => s.credentials.kind === 'webIdentity' && s.credentials.roleArn),
    alongside: [...S3_PLACE, ...without(S3_ROLE, 'experimental-s3-role-arn')],
  },
  {
    ...s3(
      'experimental-s3-web-identity-token-file',
      '/token',
      (s) => s.credentials.kind === 'webIdentity' && s.credentials.tokenFilePath,
    ),
    alongside: [...S3_PLACE, ...without(S3_ROLE, 'experimental-s3-web-identity-token-file')],
  },
  {
    ...number('experimental-s3-max-in-flight-parts', 2, [(c) => c.backups.s3?.maxInFlightParts, 2]),
    alongside: [...S3_PLACE, ...S3_KEYS],
  },
  {
    ...number('experimental-s3-compression-level', 9, [(c) => c.backups.s3?.compressionLevel, 9]),
    alongside: [...S3_PLACE, ...S3_KEYS],
  },
  {
    ...number('experimental-s3-signature-duration-seconds', 60, [(c) => c.backups.s3?.signatureDurationMs, 60_000]),
    alongside: [...S3_PLACE, ...S3_KEYS],
  },
  {
    ...quoted('experimental-s3-multipart-part-size', '10 MiB', [(c) => c.backups.s3?.partSizeBytes, 10 * 1024 ** 2]),
    alongside: [...S3_PLACE, ...S3_KEYS],
  },
  {
    ...quoted('ssl-cert-path', 'x', [(c) => c.http.tls?.certPath, '/srv/x']),
    alongside: without(TLS, 'ssl-cert-path'),
  },
  { ...quoted('ssl-key-path', 'x', [(c) => c.http.tls?.keyPath, '/srv/x']), alongside: without(TLS, 'ssl-key-path') },
  { ...quoted('ssl-auth-path', 'x', [(c) => c.http.tls?.clientRootsPath, '/srv/x']), alongside: TLS },
  flag('ssl-require-auth', (c) => c.http.tls?.requireClientCert, { alongside: TLS }),
  { ...quoted('ssl-ocsp-path', 'x', [(c) => c.http.tls?.ocspPath, '/srv/x']), alongside: TLS },
  flag('ssl-resumption', (c) => c.http.tls?.resumption, { alongside: TLS }),
  flag('ssl-tickets', (c) => c.http.tls?.tickets, { alongside: TLS }),
  cluster('cluster-name', same('shop'), [({ name }) => name, 'shop']),
  cluster('cluster-node-name', same('s-1'), [({ nodeName }) => nodeName, 's-1']),
  cluster('cluster-advertise-url', same('http://s-1:7700'), [({ advertiseUrl }) => advertiseUrl, 'http://s-1:7700']),
  cluster('cluster-nats', ['a:1, b:2', '["a:1", "b:2"]'], [({ nats }) => nats, ['a:1', 'b:2']]),
  cluster('cluster-nats-monitors', ['http://a:3', '["http://a:3"]'], [({ monitors }) => monitors, ['http://a:3']]),
  cluster('cluster-replicas', ['5', '5'], [({ replicas }) => replicas, 5]),
  child(cluster('cluster-peers', ['a:6222', '["a:6222"]'], [({ nats }) => 'peers' in nats && nats.peers, ['a:6222']])),
  child(cluster('cluster-nats-port', ['4000', '4000'], [({ nats }) => 'port' in nats && nats.port, 4000])),
  child(cluster('cluster-nats-bin', same('/bin/nats'), [({ nats }) => 'binPath' in nats && nats.binPath, '/bin/nats'])),
  {
    ...cluster('cluster-nats-user', same('u'), [({ credentials }) => credentials, { user: 'u', password: 'p' }]),
    alongside: [...CLUSTER, '--cluster-nats-password', 'p'],
  },
  {
    ...cluster('cluster-nats-password', same('p'), [({ credentials }) => credentials, { user: 'u', password: 'p' }]),
    alongside: [...CLUSTER, '--cluster-nats-user', 'u'],
  },
  cluster('cluster-nats-token', same('t'), [({ credentials }) => credentials, { token: 't' }]),
  cluster('cluster-nats-credentials-path', same('/c'), [({ credentials }) => credentials, { credentialsFile: '/c' }]),
  cluster('cluster-nats-ca-path', same('/ca'), [({ tls }) => tls, { caFile: '/ca' }]),
  {
    ...cluster('cluster-nats-cert-path', same('/c'), [({ tls }) => tls, { certFile: '/c', keyFile: '/k' }]),
    alongside: [...CLUSTER, '--cluster-nats-key-path', '/k'],
  },
  {
    ...cluster('cluster-nats-key-path', same('/k'), [({ tls }) => tls, { certFile: '/c', keyFile: '/k' }]),
    alongside: [...CLUSTER, '--cluster-nats-cert-path', '/c'],
  },
  flag('cluster-allow-lazy-sync', ({ cluster: config }) => config?.allowLazySync, { alongside: CLUSTER }),
  flag('experimental-enable-metrics', (c) => c.features.metrics),
  flag('experimental-enable-logs-route', (c) => c.features.logsRoute),
  flag('experimental-contains-filter', (c) => c.features.containsFilter),
  flag('experimental-legacy-search-default', (c) => c.features.legacySearchDefault),
]
