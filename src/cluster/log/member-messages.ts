import type { Subscription } from '@nats-io/transport-node'
import type { Session } from './session.js'

type Listener = (bytes: Uint8Array) => void

/** Messages between members that are stored nowhere: whoever listens when one passes by gets it. */
export class MemberMessages {
  private readonly listeners = new Set<Listener>()
  private subscription: Subscription | undefined

  constructor(
    private readonly session: Session,
    private readonly subject: string,
  ) {}

  tell(bytes: Uint8Array): void {
    const { connection } = this.session
    // The client would keep it and send it when it has a server again: old news by then.
    if (!this.session.isConnected()) return
    try {
      connection.publish(this.subject, bytes)
    } catch {
      // Closed, or longer than the server takes.
    }
  }

  onTold(listener: Listener): () => void {
    this.listeners.add(listener)
    if (this.subscription === undefined && !this.session.connection.isClosed()) void this.listen()
    return () => {
      this.listeners.delete(listener)
      if (this.listeners.size > 0) return
      this.subscription?.unsubscribe()
      this.subscription = undefined
    }
  }

  private async listen(): Promise<void> {
    const subscription = this.session.connection.subscribe(this.subject)
    this.subscription = subscription
    for await (const { data } of subscription) {
      if (subscription !== this.subscription) return
      for (const listener of this.listeners) listener(data)
    }
  }
}
