import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../store/temporary.fixture.js'
import { DashboardFiles } from '../dashboard/dashboard-files.js'
import { startTestServer } from '../test-server.fixture.js'
import { dashboardRoutes } from './dashboard.js'

function built() {
  const folder = join(temporaryFolder(), 'dashboard')
  mkdirSync(folder)
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Findling</title>')
  writeFileSync(join(folder, 'app-1.js'), 'export {}')
  writeFileSync(join(folder, '..', 'secret.txt'), 'nobody may read this')
  return dashboardRoutes(new DashboardFiles(pathToFileURL(`${folder}/`)))
}

const PRODUCTION = { args: ['--env', 'production'], masterKey: 'a key of 16 bytes' }

test('in development the root is a page that may load nothing from elsewhere', async () => {
  const server = await startTestServer({ routes: built() })
  const { status, text, headers } = await server.send('GET', '/', { key: null })
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect(text).toContain('Findling')
  const policy = String(headers['content-security-policy'])
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("img-src 'self' data:;")
  expect(policy).not.toMatch(/https?:|\*|unsafe/)
})

test('pictures of documents are allowed to those who ask for them', async () => {
  const server = await startTestServer({ routes: built() })
  const { headers } = await server.send('GET', '/?pictures', { key: null })
  expect(String(headers['content-security-policy'])).toContain("img-src 'self' data: https: http:;")
})

test('its files are kept by browsers, and nothing else can be read', async () => {
  const server = await startTestServer({ routes: built() })
  const { status, headers } = await server.send('GET', '/dashboard/app-1.js', { key: null })
  expect([status, headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8'])
  expect(headers['cache-control']).toContain('immutable')
  for (const file of ['..%2Fsecret.txt', '%2e%2e%2fsecret.txt', 'index.html', 'app-2.js', '%00', '..']) {
    const answer = await server.send('GET', `/dashboard/${file}`, { key: null })
    expect([file, answer.status]).toEqual([file, 404])
    expect(answer.text).not.toContain('nobody')
  }
})

test('in production the root is JSON, unless the dashboard is wanted', async () => {
  const plain = await startTestServer({ routes: built(), ...PRODUCTION })
  expect((await plain.send('GET', '/', { key: null })).json).toEqual({ status: 'Findling is running' })
  expect((await plain.send('GET', '/dashboard/app-1.js', { key: null })).status).toBe(404)
  const wanted = await startTestServer({ routes: built(), ...PRODUCTION, args: [...PRODUCTION.args, '--dashboard'] })
  expect((await wanted.send('GET', '/', { key: null })).text).toContain('Findling')
})

test('a program that was built without it says that it runs', async () => {
  const server = await startTestServer()
  expect((await server.send('GET', '/', { key: null })).json).toEqual({ status: 'Findling is running' })
})
