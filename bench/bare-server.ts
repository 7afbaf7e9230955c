import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { timed } from './figures.js'
import { Connection } from './http-client.js'
import type { SearchSet } from './workload.js'

/** Reads the body, answers at once and says where it listens. */
const CODE = `
  const server = require('node:http').createServer((request, answer) => {
    request.resume().on('end', () => answer.end('{}'))
  })
  server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => console.log(server.address().port))`

const WARM_UP = 200

/** How long a server of Node that does nothing takes for the same searches: what the machine allows at this minute. */
export function bareTimes({ searches }: SearchSet, rounds: number): Promise<number[]> {
  return withBareServer(async (url) => {
    const connection = new Connection(url)
    const bodies = searches.map(({ body }) => JSON.stringify(body))
    const times: number[] = []
    for (let i = 0; i < WARM_UP + rounds * bodies.length; i++) {
      const took = await timed(() => connection.send('POST', '/', bodies[i % bodies.length]))
      if (i >= WARM_UP) times.push(took)
    }
    connection.close()
    return times
  })
}

export async function withBareServer<T>(use: (url: string) => Promise<T>): Promise<T> {
  const child = spawn(process.execPath, ['-e', CODE], { stdio: ['ignore', 'pipe', 'ignore'] })
  try {
    const [port] = (await once(child.stdout, 'data')) as [Buffer]
    return await use(`http://127.0.0.1:${port.toString().trim()}`)
  } finally {
    child.kill()
  }
}
