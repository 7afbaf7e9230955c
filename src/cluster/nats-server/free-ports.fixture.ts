import { type AddressInfo, createServer, type Server } from 'node:net'

/** Ports of loopback that nobody listens on. */
export async function freePorts(count: number): Promise<number[]> {
  const listeners = await Promise.all(Array.from({ length: count }, listen))
  const ports = listeners.map((listener) => (listener.address() as AddressInfo).port)
  await Promise.all(listeners.map((listener) => new Promise((resolve) => listener.close(resolve))))
  return ports
}

function listen(): Promise<Server> {
  return new Promise<Server>((resolve) => {
    const listener = createServer().listen(0, '127.0.0.1', () => resolve(listener))
  })
}
