import { randomBytes } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { atEnd } from '../../store/at-end.fixture.js'
import { NatsCluster, natsServerForTests } from '../nats-server/cluster.fixture.js'
import { seal } from './blob-codec.js'
import { BlobStore } from './blob-store.js'
import { closeSession, openSession } from './session.js'
import { ensureStreams, streamNames } from './streams.js'
import { sweepUploads } from './sweep-uploads.js'

// Servers that start or elect a leader may take long where tests run beside others.
vi.setConfig({ testTimeout: 90_000 })

const binary = await natsServerForTests()

test.skipIf(binary === undefined)(
  'old uploads that belong to no blob are deleted, blobs and new uploads stay',
  async () => {
    const { addresses } = await NatsCluster.start(binary!, { count: 1 })
    const closing = new AbortController()
    const session = await openSession({ servers: addresses, name: 'sweep', replicas: 1 }, closing.signal)
    atEnd(() => closeSession(session))
    const names = streamNames('sweep')
    await ensureStreams(session, names, { replicas: 1, timeoutMs: 10_000 })
    const blobs = new BlobStore(session, names)
    const bytes = randomBytes(1_500_000)
    const ref = await blobs.put(pieces(bytes))
    for (const chunk of [0, 1]) {
      await session.publish(`${names.blobSubject}.chunk.abandoned.${chunk}`, seal(randomBytes(10)), {})
    }
    expect(await sweepUploads(session, names, 60_000)).toBe(0)
    expect(await sweepUploads(session, names, 0)).toBe(1)
    const { state } = await session.manager.streams.info(names.blobs)
    expect(state.messages).toBe(3)
    const chunks: Uint8Array[] = []
    for await (const chunk of blobs.open(ref)) chunks.push(chunk)
    expect(Buffer.concat(chunks).equals(bytes)).toBe(true)
  },
)

async function* pieces(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}
