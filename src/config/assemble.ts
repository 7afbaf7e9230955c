import { resolve } from 'node:path'
import type { AllowedNetworks } from '../outbound/index.js'
import type {
  BackupsConfig,
  ClusterConfig,
  Config,
  EmbeddingConfig,
  ImportConfig,
  IndexingConfig,
  OutgoingConfig,
  S3Config,
  SearchConfig,
  TlsConfig,
} from './config.js'
import type { EnvironmentOnlyValues } from './environment-only.js'
import type { Machine } from './machine.js'
import type { OptionValues } from './options.js'

const GIB = 1024 ** 3
const MAX_DEFAULT_BATCH_BYTES = 10 * GIB
const SECOND_MS = 1000

export interface Parts {
  readonly values: OptionValues
  readonly variables: EnvironmentOnlyValues
  readonly networks: AllowedNetworks
  readonly machine: Machine
  readonly cwd: string
  readonly configFilePath: string | null
}

/** Turns the values of the table into what the program uses. They have been checked, alone and together. */
export function assemble({ values, variables, networks, machine, cwd, configFilePath }: Parts): Config {
  return {
    configFilePath,
    dbPath: resolve(cwd, values['db-path']),
    environment: values.env,
    hasDashboard: values.env === 'development' || values.dashboard,
    masterKey: values['master-key'],
    errorsUrl: values['errors-url'],
    http: {
      ...values['http-addr'],
      payloadLimitBytes: values['http-payload-size-limit'],
      tls: assembleTls(values, cwd),
    },
    log: { level: values['log-level'], mode: values['experimental-logs-mode'] },
    indexing: assembleIndexing(values, machine),
    search: assembleSearch(values, variables),
    embedding: assembleEmbedding(values, variables),
    webhooks: assembleWebhooks(values),
    outgoing: assembleOutgoing(networks, variables),
    backups: assembleBackups(values, cwd),
    features: {
      metrics: values['experimental-enable-metrics'],
      logsRoute: values['experimental-enable-logs-route'],
      containsFilter: values['experimental-contains-filter'],
      legacySearchDefault: values['experimental-legacy-search-default'],
    },
    cluster: assembleCluster(values, machine, cwd),
  }
}

function assembleCluster(values: OptionValues, { hostName }: Machine, cwd: string): ClusterConfig | null {
  const name = values['cluster-name']
  if (name === null) return null
  const [first] = values['cluster-nats']
  const peers = values['cluster-peers']
  const binPath = resolveOrNull(cwd, values['cluster-nats-bin'])
  return {
    name,
    nodeName: values['cluster-node-name'] ?? hostName.replaceAll(/[^\w-]/g, '-').slice(0, 64),
    advertiseUrl: values['cluster-advertise-url'],
    nats: first === 'child' ? { binPath, port: values['cluster-nats-port'], peers } : values['cluster-nats'],
    monitors: values['cluster-nats-monitors'],
    replicas: values['cluster-replicas'],
    credentials: assembleNatsCredentials(values, cwd),
    tls: assembleNatsTls(values, cwd),
    allowLazySync: values['cluster-allow-lazy-sync'],
  }
}

function assembleNatsCredentials(values: OptionValues, cwd: string): ClusterConfig['credentials'] {
  const credentialsFile = resolveOrNull(cwd, values['cluster-nats-credentials-path'])
  if (credentialsFile !== null) return { credentialsFile }
  const token = values['cluster-nats-token']
  if (token !== null) return { token }
  const user = values['cluster-nats-user']
  return user === null ? null : { user, password: values['cluster-nats-password'] ?? '' }
}

function assembleNatsTls(values: OptionValues, cwd: string): ClusterConfig['tls'] {
  const caFile = resolveOrNull(cwd, values['cluster-nats-ca-path'])
  const certFile = resolveOrNull(cwd, values['cluster-nats-cert-path'])
  const keyFile = resolveOrNull(cwd, values['cluster-nats-key-path'])
  if (caFile === null && certFile === null) return null
  return { ...(caFile && { caFile }), ...(certFile && { certFile }), ...(keyFile && { keyFile }) }
}

/** Encryption needs both files; with one of them alone the server speaks plain HTTP (spec 1 §6.2). */
function assembleTls(values: OptionValues, cwd: string): TlsConfig | null {
  const certPath = resolveOrNull(cwd, values['ssl-cert-path'])
  const keyPath = resolveOrNull(cwd, values['ssl-key-path'])
  if (certPath === null || keyPath === null) return null
  return {
    certPath,
    keyPath,
    clientRootsPath: resolveOrNull(cwd, values['ssl-auth-path']),
    requireClientCert: values['ssl-require-auth'],
    ocspPath: resolveOrNull(cwd, values['ssl-ocsp-path']),
    resumption: values['ssl-resumption'],
    tickets: values['ssl-tickets'],
  }
}

function assembleIndexing(values: OptionValues, { memoryBytes, processors }: Machine): IndexingConfig {
  const maxMemoryBytes = values['max-indexing-memory'] ?? Math.floor((memoryBytes * 2) / 3)
  const defaultBatchBytes = Math.min(Math.floor(maxMemoryBytes / 2), MAX_DEFAULT_BATCH_BYTES)
  return {
    maxMemoryBytes,
    maxThreads: values['max-indexing-threads'] ?? defaultThreads(processors),
    reduceMemoryUsage: values['experimental-reduce-indexing-memory-usage'],
    maxBatchedTasks: values['experimental-max-number-of-batched-tasks'] ?? Number.POSITIVE_INFINITY,
    maxBatchedBytes: values['experimental-limit-batched-tasks-total-size'] ?? defaultBatchBytes,
    replicationParameters: values['experimental-replication-parameters'],
  }
}

/** Half of the processors (spec 1 §7), but both where there are two: most of the time nobody indexes. */
function defaultThreads(processors: number): number {
  return Math.max(Math.min(2, processors), Math.floor(processors / 2))
}

function assembleSearch(values: OptionValues, variables: EnvironmentOnlyValues): SearchConfig {
  return {
    queueSize: values['experimental-search-queue-size'],
    dropAfterMs: values['experimental-drop-search-after'] * SECOND_MS,
    searchesPerCore: values['experimental-nb-searches-per-core'],
    personalizationApiKey: nullIfBlank(values['experimental-personalization-api-key']),
    exhaustiveVectorsBelow: variables.EXPERIMENTAL_HNSW_LINEAR_BELOW,
    exhaustiveVectorsBelowRatio: variables.EXPERIMENTAL_HNSW_LINEAR_BELOW_RATIO,
  }
}

function assembleEmbedding(values: OptionValues, variables: EnvironmentOnlyValues): EmbeddingConfig {
  const ignored: readonly string[] = variables.EXPERIMENTAL_CONFIG_EMBEDDER_FAILURE_MODES
  return {
    cacheEntries: values['experimental-embedding-cache-entries'],
    requestTimeoutMs: variables.EXPERIMENTAL_REST_EMBEDDER_TIMEOUT_SECONDS * SECOND_MS,
    maxRetryMs: variables.EXPERIMENTAL_REST_EMBEDDER_MAX_RETRY_DURATION_SECONDS * SECOND_MS,
    ignoresTemplateFailures: ignored.includes('ignore_document_template_failures'),
    ignoresEmbedderFailures: ignored.includes('ignore_embedder_failures'),
    openAiApiKey: nullIfBlank(variables.OPENAI_API_KEY),
    ollamaUrl: variables.OLLAMA_URL,
  }
}

function assembleWebhooks(values: OptionValues): Config['webhooks'] {
  const url = values['task-webhook-url']
  return {
    commandLine: url === null ? null : { url, authorization: values['task-webhook-authorization-header'] },
    signingKey: values['task-webhook-secret'],
    maxRetries: values['task-webhook-max-retries'],
  }
}

function assembleOutgoing(allowedNetworks: AllowedNetworks, variables: EnvironmentOnlyValues): OutgoingConfig {
  return {
    allowedNetworks,
    remoteSearchTimeoutMs: variables.EXPERIMENTAL_REMOTE_SEARCH_TIMEOUT_SECONDS * SECOND_MS,
    proxyConnectTimeoutMs: variables.EXPERIMENTAL_PROXY_CONNECT_TIMEOUT_SECONDS * SECOND_MS,
    proxyBackoffTimeoutMs: variables.EXPERIMENTAL_PROXY_BACKOFF_TIMEOUT_SECONDS * SECOND_MS,
    proxyRequestTimeoutMs: variables.EXPERIMENTAL_PROXY_REQUEST_TIMEOUT_SECONDS * SECOND_MS,
  }
}

function assembleBackups(values: OptionValues, cwd: string): BackupsConfig {
  const intervalSeconds = values['schedule-snapshot']
  return {
    dumpsPath: resolve(cwd, values['dump-dir']),
    snapshotsPath: resolve(cwd, values['snapshot-dir']),
    snapshotIntervalMs: intervalSeconds === null ? null : intervalSeconds * SECOND_MS,
    compactSnapshots: !values['experimental-no-snapshot-compaction'],
    s3: assembleS3(values, cwd),
    import: assembleImport(values, cwd),
    upgradeInPlace: values['experimental-dumpless-upgrade'],
  }
}

function assembleImport(values: OptionValues, cwd: string): ImportConfig | null {
  const dump = values['import-dump']
  if (dump !== null) {
    return {
      kind: 'dump',
      path: resolve(cwd, dump),
      ignoreMissing: values['ignore-missing-dump'],
      ignoreIfDbExists: values['ignore-dump-if-db-exists'],
    }
  }
  const snapshot = values['import-snapshot']
  if (snapshot === null) return null
  return {
    kind: 'snapshot',
    path: resolve(cwd, snapshot),
    ignoreMissing: values['ignore-missing-snapshot'],
    ignoreIfDbExists: values['ignore-snapshot-if-db-exists'],
  }
}

/** Complete or absent: `checkTogether` has seen to that. */
function assembleS3(values: OptionValues, cwd: string): S3Config | null {
  const bucketUrl = values['s3-bucket-url']
  if (bucketUrl === null) return null
  return {
    bucketUrl,
    bucketRegion: values['s3-bucket-region'] ?? '',
    bucketName: values['s3-bucket-name'] ?? '',
    snapshotPrefix: values['s3-snapshot-prefix'] ?? '',
    credentials: assembleCredentials(values, cwd),
    maxInFlightParts: values['experimental-s3-max-in-flight-parts'],
    compressionLevel: values['experimental-s3-compression-level'],
    signatureDurationMs: values['experimental-s3-signature-duration-seconds'] * SECOND_MS,
    partSizeBytes: values['experimental-s3-multipart-part-size'],
  }
}

function assembleCredentials(values: OptionValues, cwd: string): S3Config['credentials'] {
  const accessKey = values['s3-access-key']
  if (accessKey !== null) return { kind: 'keys', accessKey, secretKey: values['s3-secret-key'] ?? '' }
  const tokenFilePath = resolve(cwd, values['experimental-s3-web-identity-token-file'] ?? '')
  return { kind: 'webIdentity', roleArn: values['experimental-s3-role-arn'] ?? '', tokenFilePath }
}

function resolveOrNull(cwd: string, path: string | null): string | null {
  return path === null ? null : resolve(cwd, path)
}

function nullIfBlank(value: string | null): string | null {
  return value === null || value.trim() === '' ? null : value
}
