import { connect } from 'node:net'
import { timed } from './figures.js'

/**
 * Posts each of the bodies on a connection of its own, all at once, and answers after how many milliseconds the last one
 * was answered. Bytes are written and read as they are: the client of Node takes more time for a connection than the
 * server that is measured.
 */
export function burst(url: string, path: string, bodies: readonly string[], key?: string): Promise<number> {
  const { hostname, port } = new URL(url)
  const head = [`POST ${path} HTTP/1.1`, `Host: ${hostname}:${port}`, 'Content-Type: application/json']
  if (key !== undefined) head.push(`Authorization: Bearer ${key}`)
  const requests = bodies.map((body) => {
    return Buffer.from([...head, `Content-Length: ${Buffer.byteLength(body)}`, '', body].join('\r\n'))
  })
  return timed(() => Promise.all(requests.map((request) => post({ host: hostname, port: Number(port) }, request))))
}

function post(address: { host: string; port: number }, request: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(address)
    let answer = ''
    socket.on('error', reject)
    socket.on('close', () => reject(new Error(`the connection was closed behind "${answer.slice(0, 300)}"`)))
    socket.on('data', (part: Buffer) => {
      answer += part.toString('latin1')
      if (!isWhole(answer)) return
      if (answer.startsWith('HTTP/1.1 2')) resolve()
      else reject(new Error(answer.slice(0, 300)))
      socket.destroy()
    })
    socket.write(request)
  })
}

function isWhole(answer: string): boolean {
  const bodyAt = answer.indexOf('\r\n\r\n') + 4
  if (bodyAt === 3) return false
  const length = /\ncontent-length: *(\d+)/i.exec(answer.slice(0, bodyAt))?.[1]
  return length === undefined ? answer.endsWith('\r\n0\r\n\r\n') : answer.length >= bodyAt + Number(length)
}
