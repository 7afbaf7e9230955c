import { writeFileSync } from 'node:fs'
import { get as httpGet } from 'node:http'
import { get, type RequestOptions } from 'node:https'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { expect, test } from 'vitest'
import { LaunchError } from '../config/index.js'
import { createLog } from '../log/index.js'
import {
  CLIENT_CERTIFICATE,
  CLIENT_KEY,
  ROOT_CERTIFICATE,
  SERVER_CERTIFICATE,
  SERVER_KEY,
  STRANGER_CERTIFICATE,
  STRANGER_KEY,
} from './certificates.fixture.js'
import { startServer } from './start.js'
import { configFor, temporaryFolder } from './test-server.fixture.js'

const log = createLog({ level: 'OFF', mode: 'JSON', write: () => {} })

async function start(args: readonly string[] = [], folder = temporaryFolder()) {
  return startServer({ config: await configFor(folder, args), log })
}

const statusOf = (url: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    httpGet(url, { agent: false }, (answer) => resolve(answer.resume().statusCode)).on('error', reject)
  })

test('a server starts in an empty folder, again in its own, and closes', async () => {
  const folder = temporaryFolder()
  const first = await start([], folder)
  expect(first.url).toBe(`http://127.0.0.1:${first.port}`)
  expect(await statusOf(`${first.url}/health`)).toBe(200)
  await Promise.all([first.close(), first.close()])
  await expect(statusOf(`${first.url}/health`)).rejects.toThrow()
  const second = await start([], folder)
  expect(await statusOf(`${second.url}/health`)).toBe(200)
  await second.close()
})

test('a port that is in use is said in one sentence', async () => {
  const occupant = createServer()
  await new Promise<void>((resolve) => occupant.listen(0, '127.0.0.1', resolve))
  const { port } = occupant.address() as AddressInfo
  const refused = start(['--http-addr', `127.0.0.1:${port}`])
  await expect(refused).rejects.toThrow(new LaunchError(`Cannot listen on 127.0.0.1:${port}: the port is in use.`))
  await new Promise((resolve) => occupant.close(resolve))
})

test('a folder of something else is refused before anything is opened', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'holiday.jpg'), '')
  await expect(start(['--db-path', folder])).rejects.toThrow(/not a data folder/)
})

function tlsFiles(): { args: string[]; roots: string; folder: string } {
  const folder = temporaryFolder()
  const file = (name: string, content: string) => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }
  const cert = file('cert.pem', SERVER_CERTIFICATE)
  const key = file('key.pem', SERVER_KEY)
  return { folder, roots: file('roots.pem', ROOT_CERTIFICATE), args: ['--ssl-cert-path', cert, '--ssl-key-path', key] }
}

const secureStatus = (port: number, options: RequestOptions = {}) =>
  new Promise<number | undefined>((resolve, reject) => {
    const request = { host: '127.0.0.1', port, path: '/health', ca: ROOT_CERTIFICATE, agent: false, ...options }
    get(request, (answer) => resolve(answer.resume().statusCode)).on('error', reject)
  })

const client = { cert: CLIENT_CERTIFICATE, key: CLIENT_KEY }
const stranger = { cert: STRANGER_CERTIFICATE, key: STRANGER_KEY }

test('with certificate and key the server speaks HTTPS', async () => {
  const { args } = tlsFiles()
  const server = await start(args)
  expect(server.url).toMatch(/^https:/)
  expect(await secureStatus(server.port)).toBe(200)
  await server.close()
})

test('clients may show a certificate, and one that is shown must be good', async () => {
  const { args, roots } = tlsFiles()
  const server = await start([...args, '--ssl-auth-path', roots])
  expect(await secureStatus(server.port)).toBe(200)
  expect(await secureStatus(server.port, client)).toBe(200)
  await expect(secureStatus(server.port, stranger)).rejects.toThrow()
  await server.close()
})

test('clients may have to show a certificate', async () => {
  const { args, roots } = tlsFiles()
  const server = await start([...args, '--ssl-auth-path', roots, '--ssl-require-auth'])
  await expect(secureStatus(server.port)).rejects.toThrow()
  await expect(secureStatus(server.port, stranger)).rejects.toThrow()
  expect(await secureStatus(server.port, client)).toBe(200)
  await server.close()
})

test('an OCSP response is stapled', async () => {
  const { args, folder } = tlsFiles()
  const ocsp = join(folder, 'ocsp.der')
  writeFileSync(ocsp, 'not looked into')
  const server = await start([...args, '--ssl-ocsp-path', ocsp])
  const stapled = await new Promise<Buffer>((resolve, reject) => {
    const options = { host: '127.0.0.1', port: server.port, ca: ROOT_CERTIFICATE, requestOCSP: true }
    const socket = connect(options).on('error', reject)
    socket.on('OCSPResponse', (response) => {
      resolve(response)
      socket.destroy()
    })
  })
  expect(stapled.toString()).toBe('not looked into')
  await server.close()
})

/** Connects twice, the second time with the session of the first: was it taken up? */
async function isResumed(port: number): Promise<boolean> {
  const dial = (session?: Buffer) =>
    new Promise<{ reused: boolean; session: Buffer | undefined }>((resolve, reject) => {
      const options = { host: '127.0.0.1', port, ca: ROOT_CERTIFICATE, session, maxVersion: 'TLSv1.2' as const }
      const socket = connect(options, () => {
        const outcome = { reused: socket.isSessionReused(), session: socket.getSession() }
        socket.end(() => resolve(outcome))
      }).on('error', reject)
    })
  const first = await dial()
  return (await dial(first.session)).reused
}

test.each([
  [['--ssl-resumption'], true],
  [['--ssl-tickets'], true],
  [['--ssl-resumption', '--ssl-tickets'], true],
  [[], false],
])('with %j sessions are taken up again: %s', async (flags, expected) => {
  const { args } = tlsFiles()
  const server = await start([...args, ...flags])
  expect(await isResumed(server.port)).toBe(expected)
  await server.close()
})

test('a file that cannot be read is named', async () => {
  const { args } = tlsFiles()
  await expect(start([...args.slice(0, 3), '/nowhere/key.pem'])).rejects.toThrow('/nowhere/key.pem')
})

test('a key that is no key is a launch error', async () => {
  const { args, folder } = tlsFiles()
  const broken = join(folder, 'broken.pem')
  writeFileSync(broken, 'no key')
  await expect(start([...args.slice(0, 3), broken])).rejects.toThrow(LaunchError)
})
