import { afterAll, beforeAll, expect, test } from 'vitest'
import { attack } from './hostile/run.js'
import { TestServer } from './server.js'

let server: TestServer
beforeAll(async () => {
  server = await TestServer.start()
})
afterAll(() => server.close())

/** Each attack twice; `npm run torture -- --hostile 1000` sends more of them and shows how long they took. */
const COUNT = 60

test('hostile searches are answered or refused, and the server goes on', async () => {
  const { problems } = await attack(server, 5, COUNT)
  expect(problems).toEqual([])
  expect((await server.request('GET', '/health')).status).toBe(200)
}, 120_000)
