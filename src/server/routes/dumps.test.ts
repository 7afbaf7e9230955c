import { expect, test } from 'vitest'
import { startIndexServer } from '../index-server.fixture.js'

const server = await startIndexServer()

const keysOf = (taskUid: number): string[] => {
  const content = server.context.tasks.store.get(taskUid)?.content
  if (content?.type !== 'dumpCreation') throw new Error(`task ${taskUid} is no dump`)
  return JSON.parse(content.keys).map(({ name }: { name?: string }) => name)
}

const newKey = (name: string, actions: readonly string[], indexes: readonly string[] = ['*']) =>
  server.send('POST', '/keys', { body: { name, actions, indexes, expiresAt: null } })

test.each(['/dumps', '/snapshots'])(
  'POST %s answers 202 with a task of no index, whatever the body is',
  async (path) => {
    const { status, json } = await server.send('POST', path, { body: 'not JSON' })
    expect(status).toBe(202)
    expect(Object.keys(json)).toEqual(['taskUid', 'indexUid', 'status', 'type', 'enqueuedAt'])
    expect(json).toMatchObject({ indexUid: null, status: 'enqueued' })
  },
)

test('a dump has no uid before it is written, a snapshot has no details at all', async () => {
  const dump = await server.send('POST', '/dumps')
  expect((await server.ended(dump.json.taskUid)).details).toEqual({ dumpUid: null })
  const snapshot = await server.send('POST', '/snapshots')
  expect(await server.ended(snapshot.json.taskUid)).not.toHaveProperty('details')
})

test('a dump takes along the keys there are when it is asked for', async () => {
  await newKey('before', ['search'])
  const { json } = await server.send('POST', '/dumps')
  await newKey('after', ['search'])
  expect(keysOf(json.taskUid)).toContain('before')
  expect(keysOf(json.taskUid)).not.toContain('after')
})

test.each([
  ['/dumps', 'dumps.create'],
  ['/snapshots', 'snapshots.create'],
  ['/dumps', 'dumps.*'],
  ['/snapshots', '*'],
])('POST %s is open to a key with %s', async (path, action) => {
  const { json } = await newKey('able', [action])
  expect((await server.send('POST', path, { key: json.key })).status).toBe(202)
})

test.each([
  ['/dumps', ['snapshots.create'], ['*']],
  ['/snapshots', ['*.get'], ['*']],
  ['/dumps', ['*'], ['movies']],
])('POST %s is closed to a key with %j on %j', async (path, actions, indexes) => {
  const { json } = await newKey('unable', actions, indexes)
  expect(await server.codeOf('POST', path, { key: json.key })).toBe('invalid_api_key')
})
