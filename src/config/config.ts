import type { AllowedNetworks } from '../outbound/index.js'

/** What the operator asked for, checked and complete. Paths are absolute; times are in milliseconds. */
export interface Config {
  /** The configuration file that was read, null if there was none. */
  readonly configFilePath: string | null
  readonly dbPath: string
  readonly environment: 'development' | 'production'
  /** Whether `GET /` is a page to look at. */
  readonly hasDashboard: boolean
  /** null: no authentication at all. An empty key counts as set (spec 1 §4.1). */
  readonly masterKey: string | null
  /** Base of the `link` in error answers. */
  readonly errorsUrl: string
  readonly http: HttpConfig
  readonly log: LogConfig
  readonly indexing: IndexingConfig
  readonly search: SearchConfig
  readonly embedding: EmbeddingConfig
  readonly webhooks: WebhooksConfig
  readonly outgoing: OutgoingConfig
  readonly backups: BackupsConfig
  readonly features: FeaturesConfig
  /** null: a server of its own. */
  readonly cluster: ClusterConfig | null
}

/** Several servers with the same data, and the nats-servers that keep their log. */
export interface ClusterConfig {
  readonly name: string
  readonly nodeName: string
  /** Where other members reach this server. */
  readonly advertiseUrl: string | null
  /** Addresses of nats-servers, or the one to start. */
  readonly nats: readonly string[] | ChildNats
  /** URLs of their monitoring ports; null: the usual port of each. */
  readonly monitors: readonly string[] | null
  readonly replicas: number
  readonly credentials:
    | { readonly user: string; readonly password: string }
    | { readonly token: string }
    | { readonly credentialsFile: string }
    | null
  readonly tls: { readonly caFile?: string; readonly certFile?: string; readonly keyFile?: string } | null
  readonly allowLazySync: boolean
}

/** A nats-server that lives and ends with this server. */
export interface ChildNats {
  readonly binPath: string | null
  readonly port: number
  readonly peers: readonly string[]
}

export interface HttpConfig {
  /** A name or an address, IPv6 without brackets. Listen on everything it resolves to. */
  readonly host: string
  /** 0 asks for a free port. */
  readonly port: number
  /** Largest body after decompression; a body of exactly this size is accepted. */
  readonly payloadLimitBytes: number
  /** null: plain HTTP. */
  readonly tls: TlsConfig | null
}

export interface TlsConfig {
  readonly certPath: string
  readonly keyPath: string
  /** Roots of client certificates; null: clients are not asked for one. */
  readonly clientRootsPath: string | null
  /** With roots: refuse clients without a certificate, else accept them. */
  readonly requireClientCert: boolean
  readonly ocspPath: string | null
  readonly resumption: boolean
  readonly tickets: boolean
}

export interface LogConfig {
  readonly level: 'OFF' | 'ERROR' | 'WARN' | 'INFO' | 'DEBUG' | 'TRACE'
  readonly mode: 'HUMAN' | 'JSON'
}

export interface IndexingConfig {
  readonly maxMemoryBytes: number
  /** At least 1. */
  readonly maxThreads: number
  readonly reduceMemoryUsage: boolean
  /** Most tasks in a batch: `Infinity` by default, 0 stops all processing (spec 2 §4.2). */
  readonly maxBatchedTasks: number
  /** Most payload bytes in a batch; the first task is always taken. */
  readonly maxBatchedBytes: number
  /** Headers TaskId and DryRun are obeyed and old tasks are kept (spec 2 §1.7). */
  readonly replicationParameters: boolean
}

/** The queue of searches, spec 1 §7.1. */
export interface SearchConfig {
  readonly queueSize: number
  readonly dropAfterMs: number
  readonly searchesPerCore: number
  /** null: searches cannot be personalized (spec 1 §5.7). */
  readonly personalizationApiKey: string | null
  /** Vector search compares all candidates below this number of them, or below this part of the documents. */
  readonly exhaustiveVectorsBelow: number
  readonly exhaustiveVectorsBelowRatio: number
}

export interface EmbeddingConfig {
  /** For each embedder; 0: nothing is remembered. */
  readonly cacheEntries: number
  readonly requestTimeoutMs: number
  readonly maxRetryMs: number
  readonly ignoresTemplateFailures: boolean
  readonly ignoresEmbedderFailures: boolean
  readonly openAiApiKey: string | null
  readonly ollamaUrl: string
}

export interface WebhooksConfig {
  /** The webhook of the command line, which has the nil uuid (spec 2 §5.2). */
  readonly commandLine: { readonly url: string; readonly authorization: string | null } | null
  /** Every call is signed with this key; null: none is. */
  readonly signingKey: Uint8Array | null
  readonly maxRetries: number
}

export interface OutgoingConfig {
  /** Beyond the public addresses (spec 1 §6.5). */
  readonly allowedNetworks: AllowedNetworks
  readonly remoteSearchTimeoutMs: number
  readonly proxyConnectTimeoutMs: number
  readonly proxyBackoffTimeoutMs: number
  readonly proxyRequestTimeoutMs: number
}

export interface BackupsConfig {
  readonly dumpsPath: string
  readonly snapshotsPath: string
  /** null: no automatic snapshots. May be longer than a single timer can wait. */
  readonly snapshotIntervalMs: number | null
  readonly compactSnapshots: boolean
  /** Where snapshots go instead of `snapshotsPath`. */
  readonly s3: S3Config | null
  /** What to start from (spec 1 §6.4). */
  readonly import: ImportConfig | null
  readonly upgradeInPlace: boolean
}

export interface ImportConfig {
  readonly kind: 'dump' | 'snapshot'
  readonly path: string
  readonly ignoreMissing: boolean
  readonly ignoreIfDbExists: boolean
}

export interface S3Config {
  readonly bucketUrl: string
  readonly bucketRegion: string
  readonly bucketName: string
  readonly snapshotPrefix: string
  readonly credentials:
    | { readonly kind: 'keys'; readonly accessKey: string; readonly secretKey: string }
    | { readonly kind: 'webIdentity'; readonly roleArn: string; readonly tokenFilePath: string }
  readonly maxInFlightParts: number
  /** 0 (none) to 9. */
  readonly compressionLevel: number
  readonly signatureDurationMs: number
  readonly partSizeBytes: number
}

/** Features that the launch switches on, spec 1 §5.7. */
export interface FeaturesConfig {
  readonly metrics: boolean
  readonly logsRoute: boolean
  readonly containsFilter: boolean
  /** Counts only until a value has been stored. */
  readonly legacySearchDefault: boolean
}
