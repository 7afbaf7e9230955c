import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { atEnd } from '../../store/at-end.fixture.js'

/** A connection to a server that can be cut. */
export interface Line {
  readonly port: number
  /** As if the server had been killed: what is open breaks off, and nobody listens any more. */
  cut(): void
  /** As if it could not be reached: whoever connects hears nothing. */
  silence(): void
  /** As before. */
  mend(): Promise<void>
}

/** Leads to a port of this machine. */
export async function openLine(to: number): Promise<Line> {
  const line = new CuttableLine(to)
  await line.mend()
  atEnd(() => line.cut())
  return line
}

class CuttableLine implements Line {
  port = 0
  private isSilent = false
  private listener: Server | undefined
  private readonly sockets = new Set<Socket>()

  constructor(private readonly to: number) {}

  async mend(): Promise<void> {
    this.cut()
    this.isSilent = false
    const listener = createServer((socket) => this.accept(socket))
    this.listener = listener
    await new Promise<void>((resolve) => listener.listen(this.port, '127.0.0.1', resolve))
    this.port = (listener.address() as AddressInfo).port
  }

  cut(): void {
    this.listener?.close()
    this.listener = undefined
    for (const socket of this.sockets) socket.destroy()
  }

  silence(): void {
    this.isSilent = true
    for (const socket of this.sockets) socket.pause().removeAllListeners('data')
  }

  private accept(near: Socket): void {
    this.keep(near)
    if (this.isSilent) return
    const far = connect(this.to, '127.0.0.1')
    this.keep(far)
    this.forward(near, far)
    this.forward(far, near)
  }

  private forward(from: Socket, to: Socket): void {
    from.on('data', (bytes) => to.write(bytes))
    from.on('close', () => to.destroy())
  }

  private keep(socket: Socket): void {
    this.sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => this.sockets.delete(socket))
  }
}
