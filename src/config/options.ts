import { DEFAULT_ERRORS_URL } from '../errors/index.js'
import {
  choice,
  clusterName,
  count,
  flag,
  hostAndPort,
  items,
  networkItems,
  path,
  schedule,
  seconds,
  signingSecret,
  size,
  text,
  threads,
  url,
  urlBase,
} from './kinds.js'
import { HIGHEST_NATS_PORT } from './nats-ports.js'
import { option, type ValuesOf } from './option.js'

const MIB = 1024 ** 2
const GIB = 1024 ** 3

const S3 = { group: 'Snapshots in object storage' } as const
const TLS = { group: 'TLS' } as const
const CLUSTER = { group: 'Cluster' } as const
const IN_CLUSTER = { ...CLUSTER, requires: 'cluster-name' } as const
const BACKUPS = { group: 'Dumps, snapshots, upgrades' } as const

/** An import is an act of whoever starts the server, so a file that stays in place cannot ask for it (spec 1 §6.1). */
const IMPORT = { ...BACKUPS, inFile: 'ignored' } as const

/**
 * Every option, in the order of `--help` and of docs/configuration.md (spec 1 §6.2). The command line, the environment,
 * the file and both documents are made from this table; `Config` says what the values become.
 */
export const options = {
  'config-file-path': option(path, {
    group: 'Server',
    help: 'TOML file with options; one that is named must exist',
    default: null,
    defaultText: './config.toml',
    inFile: 'refused',
  }),
  'db-path': option(path, { group: 'Server', help: 'Folder that holds the data', default: './data.ms' }),
  'http-addr': option(hostAndPort, {
    group: 'Server',
    help: 'Host and port to listen on, on every address the host resolves to; port 0 picks a free one',
    default: { host: 'localhost', port: 7700 },
    defaultText: 'localhost:7700',
  }),
  'master-key': option(text, {
    group: 'Server',
    help: 'Key that gives every right and from which API keys are derived; at least 16 bytes in production',
    default: null,
    isSecret: true,
  }),
  env: option(choice(['development', 'production'], { anyCase: false }), {
    group: 'Server',
    help: 'Production insists on a good master key, and serves the dashboard only with `--dashboard`',
    default: 'development',
  }),
  dashboard: option(flag, {
    group: 'Server',
    help: 'Serves the dashboard at the address of the server, in production too; in development it always does',
    default: false,
  }),
  'no-analytics': option(flag, {
    group: 'Server',
    help: 'Accepted for compatibility: Findling never sends telemetry',
    default: false,
  }),
  'http-payload-size-limit': option(size(), {
    group: 'Server',
    help: 'Largest request body, after decompression',
    default: 100_000_000,
    defaultText: '100 MB',
  }),
  'errors-url': option(urlBase, {
    group: 'Server',
    help: 'Start of the link in error answers; "#" and the error code follow',
    default: DEFAULT_ERRORS_URL,
  }),

  'log-level': option(choice(['OFF', 'ERROR', 'WARN', 'INFO', 'DEBUG', 'TRACE'], { anyCase: true }), {
    group: 'Logs',
    help: 'Least serious records that go to standard error',
    default: 'INFO',
  }),
  'experimental-logs-mode': option(choice(['HUMAN', 'JSON'], { anyCase: true }), {
    group: 'Logs',
    help: 'Form of the records: lines to read, or one JSON object a line',
    default: 'HUMAN',
  }),

  'max-indexing-memory': option(size(), {
    group: 'Indexing and tasks',
    help: 'Memory that indexing may use',
    default: null,
    defaultText: '2/3 of the memory of the machine or container',
  }),
  'max-indexing-threads': option(threads, {
    group: 'Indexing and tasks',
    help: 'Threads that indexing may use; `unlimited` means the default',
    default: null,
    defaultText: 'half the processors, at least two',
  }),
  'experimental-reduce-indexing-memory-usage': option(flag, {
    group: 'Indexing and tasks',
    help: 'Trade indexing speed for memory (no effect on Windows)',
    default: false,
  }),
  'experimental-max-number-of-batched-tasks': option(count(), {
    group: 'Indexing and tasks',
    help: 'Most tasks in one batch; 0 stops the processing of tasks',
    default: null,
    defaultText: 'unlimited',
  }),
  'experimental-limit-batched-tasks-total-size': option(size(), {
    group: 'Indexing and tasks',
    help: 'Most payload bytes in one batch; the first task is always taken',
    default: null,
    defaultText: 'half of the indexing memory, at most 10 GiB',
  }),
  'experimental-replication-parameters': option(flag, {
    group: 'Indexing and tasks',
    help: 'Obey the headers TaskId and DryRun, and never delete old tasks automatically',
    default: false,
  }),
  'experimental-no-edition-2024-for-settings': option(flag, {
    group: 'Indexing and tasks',
    help: 'Accepted for compatibility: there is one settings indexer',
    default: false,
  }),
  'experimental-no-edition-2024-for-dumps': option(flag, {
    group: 'Indexing and tasks',
    help: 'Accepted for compatibility: there is one document indexer',
    default: false,
  }),

  'experimental-search-queue-size': option(count(), {
    group: 'Search',
    help: 'Searches that may wait for their turn; 0 refuses what cannot run at once',
    default: 1000,
  }),
  'experimental-drop-search-after': option(seconds({ min: 1 }), {
    group: 'Search',
    help: 'Seconds of waiting after which a search is refused',
    default: 60,
  }),
  'experimental-nb-searches-per-core': option(count({ min: 1 }), {
    group: 'Search',
    help: 'Searches that run at the same time, for each processor',
    default: 4,
  }),
  'experimental-embedding-cache-entries': option(count(), {
    group: 'Search',
    help: 'Embeddings of search texts that each embedder remembers; 0 for none',
    default: 0,
  }),
  'experimental-personalization-api-key': option(text, {
    group: 'Search',
    help: 'API key of Cohere; turns the personalization of searches on',
    default: null,
    isSecret: true,
  }),

  'task-webhook-url': option(url, {
    group: 'Webhooks and outgoing requests',
    help: 'URL that is called when tasks have finished',
    default: null,
  }),
  'task-webhook-authorization-header': option(text, {
    group: 'Webhooks and outgoing requests',
    help: 'Authorization header of those calls',
    default: null,
    isSecret: true,
  }),
  'task-webhook-secret': option(signingSecret, {
    group: 'Webhooks and outgoing requests',
    help: 'Secret ("whsec_..." of Standard Webhooks) with which every webhook call is signed',
    default: null,
    isSecret: true,
  }),
  'task-webhook-max-retries': option(count(), {
    group: 'Webhooks and outgoing requests',
    help: 'How often a webhook call that failed is repeated',
    default: 0,
  }),
  'experimental-allowed-ip-networks': option(networkItems, {
    group: 'Webhooks and outgoing requests',
    help: 'Private networks that outgoing requests may reach: a comma list of addresses and CIDR blocks, or `any`',
    default: [],
    defaultText: 'none',
  }),

  'dump-dir': option(path, { ...BACKUPS, help: 'Folder in which dumps are created', default: 'dumps/' }),
  'import-dump': option(path, {
    ...IMPORT,
    help: 'Dump file to start from; the data folder must be empty',
    default: null,
    conflictsWith: 'import-snapshot',
  }),
  'ignore-missing-dump': option(flag, {
    ...IMPORT,
    help: 'Start without the dump if its file is missing',
    default: false,
    requires: 'import-dump',
  }),
  'ignore-dump-if-db-exists': option(flag, {
    ...IMPORT,
    help: 'Start without the dump if the data folder is not empty',
    default: false,
    requires: 'import-dump',
  }),
  'snapshot-dir': option(path, { ...BACKUPS, help: 'Folder in which snapshots are created', default: 'snapshots/' }),
  'import-snapshot': option(path, {
    ...IMPORT,
    help: 'Snapshot file to start from; the data folder must be empty',
    default: null,
  }),
  'ignore-missing-snapshot': option(flag, {
    ...IMPORT,
    help: 'Start without the snapshot if its file is missing',
    default: false,
    requires: 'import-snapshot',
  }),
  'ignore-snapshot-if-db-exists': option(flag, {
    ...IMPORT,
    help: 'Start without the snapshot if the data folder is not empty',
    default: false,
    requires: 'import-snapshot',
  }),
  'schedule-snapshot': option(schedule, {
    ...BACKUPS,
    help: 'Seconds between automatic snapshots; without a number, once a day',
    default: null,
    defaultText: 'disabled',
  }),
  'experimental-no-snapshot-compaction': option(flag, {
    ...BACKUPS,
    help: 'Make snapshots faster and larger',
    default: false,
  }),
  'experimental-dumpless-upgrade': option(flag, {
    ...BACKUPS,
    help: 'Upgrade the data folder of an older version in place',
    default: false,
  }),

  's3-bucket-url': option(text, { ...S3, help: 'URL of the object storage; snapshots go there', default: null }),
  's3-bucket-region': option(text, { ...S3, help: 'Region of the bucket', default: null }),
  's3-bucket-name': option(text, { ...S3, help: 'Name of the bucket', default: null }),
  's3-snapshot-prefix': option(text, { ...S3, help: 'Start of the names of snapshots in the bucket', default: null }),
  's3-access-key': option(text, {
    ...S3,
    help: 'Access key, together with the secret key',
    default: null,
    isSecret: true,
  }),
  's3-secret-key': option(text, {
    ...S3,
    help: 'Secret key, together with the access key',
    default: null,
    isSecret: true,
  }),
  'experimental-s3-role-arn': option(text, {
    ...S3,
    help: 'Role to take on by web identity, instead of the two keys',
    default: null,
  }),
  'experimental-s3-web-identity-token-file': option(path, {
    ...S3,
    help: 'File with the token for that role',
    default: null,
  }),
  'experimental-s3-max-in-flight-parts': option(count({ min: 1 }), {
    ...S3,
    help: 'Parts that are uploaded at the same time',
    default: 10,
  }),
  'experimental-s3-compression-level': option(count({ max: 9 }), {
    ...S3,
    help: 'Gzip level of the snapshot, from 0 (none) to 9',
    default: 0,
  }),
  'experimental-s3-signature-duration-seconds': option(seconds(), {
    ...S3,
    help: 'Seconds for which the signature of an upload is valid',
    default: 28_800,
  }),
  'experimental-s3-multipart-part-size': option(
    size({ min: 10 * MIB, max: 8 * GIB, expected: 'a size from 10 MiB to 8 GiB' }),
    { ...S3, help: 'Size of a part, from 10 MiB to 8 GiB', default: 375 * MIB, defaultText: '375 MiB' },
  ),

  'ssl-cert-path': option(path, { ...TLS, help: 'Certificate chain (PEM); HTTPS needs the key too', default: null }),
  'ssl-key-path': option(path, { ...TLS, help: 'Private key (PEM, not encrypted)', default: null }),
  'ssl-auth-path': option(path, { ...TLS, help: 'Roots of client certificates (PEM)', default: null }),
  'ssl-require-auth': option(flag, { ...TLS, help: 'Refuse clients without a certificate', default: false }),
  'ssl-ocsp-path': option(path, { ...TLS, help: 'OCSP response (DER) to staple', default: null }),
  'ssl-resumption': option(flag, { ...TLS, help: 'Remember sessions so that clients can resume them', default: false }),
  'ssl-tickets': option(flag, { ...TLS, help: 'Give clients session tickets', default: false }),

  'cluster-name': option(clusterName, {
    ...CLUSTER,
    help: 'Cluster that this server belongs to; servers of one cluster have the same data',
    default: null,
    defaultText: 'a server of its own',
  }),
  'cluster-node-name': option(clusterName, {
    ...IN_CLUSTER,
    help: 'Name of this server, unlike that of any other of the cluster',
    default: null,
    defaultText: 'the name of the machine',
  }),
  'cluster-advertise-url': option(urlBase, {
    ...IN_CLUSTER,
    help: 'URL under which the other servers of the cluster reach this one',
    default: null,
  }),
  'cluster-nats': option(items('ADDRESSES'), {
    ...IN_CLUSTER,
    help: 'Addresses of the nats-servers that keep the log, or `child` to start one beside this server',
    default: ['localhost:4222'],
    defaultText: 'localhost:4222',
  }),
  'cluster-nats-monitors': option(items('URLS'), {
    ...IN_CLUSTER,
    help: 'URLs of their monitoring ports, which tell whether they write to disk before they acknowledge',
    default: null,
    defaultText: 'port 8222 of each nats-server',
  }),
  'cluster-replicas': option(count({ min: 1, max: 5 }), {
    ...IN_CLUSTER,
    help: 'How many nats-servers keep the log: 1, 3 or 5',
    default: 3,
  }),
  'cluster-peers': option(items('ADDRESSES'), {
    ...IN_CLUSTER,
    help: 'With `child`: hosts and cluster ports of the nats-servers of all members, this one included',
    default: [],
    defaultText: 'none',
  }),
  'cluster-nats-port': option(count({ min: 1, max: HIGHEST_NATS_PORT }), {
    ...IN_CLUSTER,
    help: 'With `child`: the port for clients of the nats-server; its cluster port is 2000 above, its monitoring port 4000',
    default: 4222,
  }),
  'cluster-nats-bin': option(path, {
    ...IN_CLUSTER,
    help: 'With `child`: the nats-server program',
    default: null,
    defaultText: 'nats-server of the path',
  }),
  'cluster-nats-user': option(text, { ...IN_CLUSTER, help: 'User at the nats-servers', default: null }),
  'cluster-nats-password': option(text, {
    ...IN_CLUSTER,
    help: 'Password of that user',
    default: null,
    isSecret: true,
  }),
  'cluster-nats-token': option(text, {
    ...IN_CLUSTER,
    help: 'Token for the nats-servers, instead of a user',
    default: null,
    isSecret: true,
  }),
  'cluster-nats-credentials-path': option(path, {
    ...IN_CLUSTER,
    help: 'File with credentials (`.creds`) for the nats-servers, instead of a user',
    default: null,
  }),
  'cluster-nats-ca-path': option(path, {
    ...IN_CLUSTER,
    help: 'Roots (PEM) of their certificates; asks for TLS',
    default: null,
  }),
  'cluster-nats-cert-path': option(path, {
    ...IN_CLUSTER,
    help: 'Client certificate (PEM) for the nats-servers',
    default: null,
  }),
  'cluster-nats-key-path': option(path, {
    ...IN_CLUSTER,
    help: 'Private key (PEM) of that certificate',
    default: null,
  }),
  'cluster-allow-lazy-sync': option(flag, {
    ...IN_CLUSTER,
    help: 'Accept nats-servers that acknowledge before data is on disk: a power cut may lose writes',
    default: false,
  }),

  'experimental-enable-metrics': option(flag, {
    group: 'Experimental features',
    help: 'Turn GET /metrics on at start',
    default: false,
  }),
  'experimental-enable-logs-route': option(flag, {
    group: 'Experimental features',
    help: 'Turn the /logs routes on at start',
    default: false,
  }),
  'experimental-contains-filter': option(flag, {
    group: 'Experimental features',
    help: 'Turn the filter operator CONTAINS on at start',
    default: false,
  }),
  'experimental-legacy-search-default': option(flag, {
    group: 'Experimental features',
    help: 'Value of the feature legacySearch until one has been stored',
    default: false,
    environmentName: 'EXPERIMENTAL_LEGACY_SEARCH',
  }),
} as const

export type OptionName = keyof typeof options
export type OptionValues = ValuesOf<typeof options>
