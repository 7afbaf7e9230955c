import { expect, test } from 'vitest'
import { configOf, file, launch } from './launch.fixture.js'

const CLUSTER = ['--cluster-name', 'shop']
const CHILD = [...CLUSTER, '--cluster-nats', 'child']
const PEERS = ['--cluster-peers', 'a:6222,b:6222,c:6222']
const TLS = ['--cluster-nats-ca-path', 'ca', '--cluster-nats-cert-path', 'cert', '--cluster-nats-key-path', 'key']

test.each<[readonly string[], string]>([
  [
    [...CLUSTER, '--import-dump', 'a.dump'],
    '--import-dump cannot be given to a server of a cluster: import into a server of its own first, then begin the cluster with its data by `findling cluster recover`.',
  ],
  [
    [...CLUSTER, '--cluster-replicas', '4'],
    '--cluster-replicas: expected 1, 3 or 5, found 4: 4 survive no more failures than 3.',
  ],
  [
    [...CLUSTER, '--cluster-nats-key-path', 'key'],
    '--cluster-nats-cert-path and --cluster-nats-key-path go together: --cluster-nats-cert-path is missing.',
  ],
  [
    [...CLUSTER, '--cluster-nats-user', 'findling'],
    '--cluster-nats-user and --cluster-nats-password go together: --cluster-nats-password is missing.',
  ],
  [
    [...CLUSTER, '--cluster-nats-token', 't', '--cluster-nats-credentials-path', 'c'],
    'Give one of --cluster-nats-token and --cluster-nats-credentials-path, not several.',
  ],
  [[...CLUSTER, ...PEERS], '--cluster-peers has a meaning only with --cluster-nats child.'],
  [
    CHILD,
    '--cluster-nats child with 3 replicas (--cluster-replicas) asks for --cluster-peers: hosts and cluster ports of at least 3 nats-servers, this one included; found 0.',
  ],
  [
    [...CHILD, '--cluster-peers', 'a:6222,b:6222,c'],
    '--cluster-peers: expected hosts with cluster ports such as one.example.com:6222, found "c".',
  ],
  [
    [...CHILD, ...PEERS, '--cluster-nats-port', '4333'],
    '--cluster-peers names no nats-server with the cluster port of this one, 6333 (--cluster-nats-port and 2000): it has to be among them.',
  ],
  [
    [...CHILD, ...PEERS, '--cluster-nats-token', 't'],
    '--cluster-nats child knows --cluster-nats-user, and not --cluster-nats-token.',
  ],
  [[...CHILD, ...PEERS, ...TLS.slice(2)], 'TLS with --cluster-nats child asks for --cluster-nats-ca-path as well.'],
  [[...CLUSTER, '--cluster-nats', 'child,a:4222'], '--cluster-nats: `child` stands alone, without addresses.'],
])('%j is refused in one sentence', async (argv, message) => {
  expect(await launch({ argv })).toEqual({ kind: 'refuse', message, exitCode: 2 })
})

test('what only the file asks for ends with status 1', async () => {
  expect(await launch(file('cluster_name = "shop"\ncluster_replicas = 2'))).toMatchObject({ exitCode: 1 })
})

test('a nats-server beside this one, with peers and TLS or alone', async () => {
  const { cluster } = await configOf({ argv: [...CHILD, ...PEERS, ...TLS] })
  expect(cluster).toMatchObject({
    nats: { binPath: null, port: 4222, peers: ['a:6222', 'b:6222', 'c:6222'] },
    tls: { caFile: '/srv/ca', certFile: '/srv/cert', keyFile: '/srv/key' },
  })
  const alone = await configOf({ argv: [...CHILD, '--cluster-replicas', '1'] })
  expect(alone.cluster).toMatchObject({ nats: { peers: [] }, replicas: 1 })
})
