import { expect, test } from 'vitest'
import { configFor } from '../test-server.fixture.js'
import { childNatsOptions } from './child-nats.js'
import { natsAddresses } from './nats-addresses.js'

const cluster = async (...argv: string[]) => (await configFor('/srv', ['--cluster-name', 'shop', ...argv])).cluster!

test('nats-servers are monitored at their usual port, unless somebody says where', async () => {
  const given = ['--cluster-nats', 'a:4222,nats://b:4333']
  expect(natsAddresses(await cluster(...given))).toEqual({
    servers: ['a:4222', 'nats://b:4333'],
    monitors: ['http://a:8222', 'http://b:8222'],
  })
  const monitors = ['--cluster-nats-monitors', 'http://a:1,http://b:2', '--cluster-nats-ca-path', 'ca']
  expect(natsAddresses(await cluster(...given, ...monitors)).monitors).toEqual(['http://a:1', 'http://b:2'])
  expect(natsAddresses(await cluster(...given, '--cluster-nats-ca-path', 'ca')).monitors[0]).toBe('https://a:8222')
})

test('those that servers start are found by the ports of their peers', async () => {
  const peers = ['--cluster-peers', 'a:6222,b:6222,[::1]:6333']
  expect(natsAddresses(await cluster('--cluster-nats', 'child', ...peers))).toEqual({
    servers: ['a:4222', 'b:4222', '[::1]:4333'],
    monitors: ['http://a:8222', 'http://b:8222', 'http://[::1]:8333'],
  })
  expect(natsAddresses(await cluster('--cluster-nats', 'child', '--cluster-replicas', '1'))).toEqual({
    servers: ['127.0.0.1:4222'],
    monitors: ['http://127.0.0.1:8222'],
  })
})

test('one that is started listens on all addresses when there are peers elsewhere', async () => {
  const options = async (peers: string) => {
    const config = await cluster('--cluster-nats', 'child', '--cluster-node-name', 'one', '--cluster-peers', peers)
    return childNatsOptions(config, config.nats as { port: number; peers: readonly string[] }, '/srv/db')
  }
  expect(await options('localhost:6222,127.0.0.1:6223,127.0.0.1:6224')).toEqual({
    ...{ name: 'one', clusterName: 'shop', host: '127.0.0.1', folder: '/srv/db/nats' },
    ...{ clientPort: 4222, clusterPort: 6222, monitorPort: 8222 },
    routes: ['localhost:6222', '127.0.0.1:6223', '127.0.0.1:6224'],
  })
  expect(await options('localhost:6222,two:6222,three:6222')).toMatchObject({ host: '0.0.0.0' })
})
