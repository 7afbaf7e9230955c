import { EventEmitter, once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { addressesOf, Listeners } from './listeners.js'

async function listen(addresses: string[], answer: RequestListener) {
  const listeners = new Listeners(() => createServer(answer))
  return { listeners, port: await listeners.listen({ addresses, port: 0 }) }
}

const ask = async (address: string, port: number) => (await fetch(`http://${address}:${port}/`)).text()

test('localhost stands for its addresses, any other host for itself', async () => {
  expect(await addressesOf('localhost')).toContain('127.0.0.1')
  expect(await addressesOf('0.0.0.0')).toEqual(['0.0.0.0'])
  expect(await addressesOf('shop.example')).toEqual(['shop.example'])
})

test('every address is listened on, at one port', async () => {
  const { listeners, port } = await listen(['127.0.0.1', '127.0.0.2'], (request, response) =>
    response.end(request.socket.localAddress),
  )
  expect(await Promise.all([ask('127.0.0.1', port), ask('127.0.0.2', port)])).toEqual(['127.0.0.1', '127.0.0.2'])
  await listeners.close(1000)
  await expect(ask('127.0.0.2', port)).rejects.toThrow()
})

test('an address that the machine does not have is left out, unless it is the first', async () => {
  const { listeners, port } = await listen(['127.0.0.1', '192.0.2.1'], (_request, response) => response.end('here'))
  expect(await ask('127.0.0.1', port)).toBe('here')
  await listeners.close(1000)
  await expect(listen(['192.0.2.1', '127.0.0.1'], () => {})).rejects.toThrow('EADDRNOTAVAIL')
})

test('requests at any address are waited for until they are answered or time is up', async () => {
  const asked = new EventEmitter()
  const { listeners, port } = await listen(['127.0.0.1', '127.0.0.2'], (request) => asked.emit(request.url!))
  const socket = connect(port, '127.0.0.2', () => socket.write('GET /never HTTP/1.1\r\nHost: x\r\n\r\n'))
  const gone = once(socket, 'close')
  await once(asked, '/never')
  const startedAt = performance.now()
  await listeners.close(200)
  expect(performance.now() - startedAt).toBeGreaterThan(150)
  await gone
})
