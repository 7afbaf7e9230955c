/** The replicated log with a token and with a file of credentials, against real nats-servers. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { nkeys } from '@nats-io/transport-node'
import { expect, test } from 'vitest'
import { type LogCredentials, LogUnavailable, natsServerConfig, openLog } from '../src/cluster/index.js'
import { natsServerForTests } from '../src/cluster/nats-server/cluster.fixture.js'
import { freePorts } from '../src/cluster/nats-server/free-ports.fixture.js'
import { atEnd } from '../src/store/at-end.fixture.js'
import { temporaryFolder } from '../src/store/temporary.fixture.js'

const binary = await natsServerForTests()
const serverTest = test.skipIf(binary === undefined)

serverTest(
  'a log with a token',
  async () => {
    const server = await startServer(['authorization { token: "t0ken" }'])
    await expectAccess(server, { token: 't0ken' }, { token: 'guessed' })
  },
  90_000,
)

serverTest(
  'a log with a file of credentials',
  async () => {
    const folder = temporaryFolder()
    const { config, credentials, strange } = operatorMode()
    const file = (name: string, content: string) => {
      writeFileSync(join(folder, name), content)
      return { credentialsFile: join(folder, name) }
    }
    await expectAccess(await startServer(config), file('right.creds', credentials), file('wrong.creds', strange))
    const missing = { credentialsFile: join(folder, 'nowhere.creds') }
    await expect(openLog({ servers: [], ...OPTIONS, allowLazySync: true, credentials: missing })).rejects.toThrow(
      /ENOENT/,
    )
  },
  90_000,
)

const OPTIONS = { name: 'secret', replicas: 1, timeoutMs: 30_000 }

interface Addresses {
  readonly servers: string[]
  readonly monitors: string[]
}

async function expectAccess(server: Addresses, right: LogCredentials, wrong: LogCredentials): Promise<void> {
  const options = { ...server, ...OPTIONS }
  const log = await openLog({ ...options, credentials: right })
  expect(await log.append({ id: 'a', kind: 'task', body: Buffer.from('b') })).toBe(1)
  await log.close()
  await expect(openLog({ ...options, credentials: wrong })).rejects.toThrow(/refuse the credentials/)
  await expect(openLog(options)).rejects.toThrow(LogUnavailable)
}

async function startServer(security: readonly string[]): Promise<Addresses> {
  const [clientPort, monitorPort, clusterPort] = (await freePorts(3)) as [number, number, number]
  const folder = temporaryFolder()
  const configFile = join(folder, 'nats-server.conf')
  const options = { name: 'n1', clusterName: 'test', clientPort, monitorPort, clusterPort, routes: [], folder }
  writeFileSync(configFile, [natsServerConfig(options), ...security, ''].join('\n'))
  const child = spawn(binary!, ['--config', configFile], { stdio: 'ignore' })
  atEnd(async () => {
    const ended = once(child, 'exit')
    if (child.kill('SIGKILL')) await ended
  })
  await once(child, 'spawn')
  return { servers: [`127.0.0.1:${clientPort}`], monitors: [`http://127.0.0.1:${monitorPort}`] }
}

/** A server whose users are vouched for by an account, and accounts by an operator. */
function operatorMode(): { config: string[]; credentials: string; strange: string } {
  const [operator, system, account, stranger] = [
    nkeys.createOperator(),
    nkeys.createAccount(),
    nkeys.createAccount(),
    nkeys.createAccount(),
  ]
  const connections = { subs: -1, data: -1, payload: -1, conn: -1, leaf: -1, imports: -1, exports: -1, wildcards: true }
  const storage = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 }
  const accounts = [
    { pair: system, limits: connections },
    { pair: account, limits: { ...connections, ...storage } },
  ]
  const preload = accounts.map(({ pair, limits }) => {
    return `  ${pair.getPublicKey()}: ${token(operator, pair, { type: 'account', limits })}`
  })
  return {
    config: [
      `operator: ${token(operator, operator, { type: 'operator' })}`,
      `system_account: ${system.getPublicKey()}`,
      'resolver: MEMORY',
      'resolver_preload: {',
      ...preload,
      '}',
    ],
    credentials: credentialsOf(account),
    strange: credentialsOf(stranger),
  }
}

type KeyPair = ReturnType<typeof nkeys.createUser>

function credentialsOf(account: KeyPair): string {
  const user = nkeys.createUser()
  const parts = [
    ['NATS USER JWT', token(account, user, { type: 'user', subs: -1, data: -1, payload: -1 })],
    ['USER NKEY SEED', Buffer.from(user.getSeed()).toString()],
  ]
  return parts.map(([name, text]) => `-----BEGIN ${name}-----\n${text}\n------END ${name}------\n`).join('\n')
}

/** What an issuer says of a key, signed. */
function token(issuer: KeyPair, subject: KeyPair, claims: Record<string, unknown>): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const content = {
    jti: subject.getPublicKey(),
    iat: Math.floor(Date.now() / 1_000),
    iss: issuer.getPublicKey(),
    sub: subject.getPublicKey(),
    name: 'test',
    nats: { version: 2, ...claims },
  }
  const signed = `${part({ typ: 'JWT', alg: 'ed25519-nkey' })}.${part(content)}`
  return `${signed}.${Buffer.from(issuer.sign(Buffer.from(signed))).toString('base64url')}`
}
