import { setTimeout as sleep } from 'node:timers/promises'
import { nanos } from '@nats-io/transport-node'
import { expect, test, vi } from 'vitest'
import { atEnd } from '../../store/at-end.fixture.js'
import { NatsCluster, natsServerForTests } from '../nats-server/cluster.fixture.js'
import { Appender } from './appender.js'
import { entryOf } from './log.fixture.js'
import { LogMoved } from './problems.js'
import { closeSession, openSession } from './session.js'
import { ensureStreams, streamNames } from './streams.js'

// Servers that start or elect a leader may take long where tests run beside others.
vi.setConfig({ testTimeout: 90_000 })

const binary = await natsServerForTests()

const WINDOW_MS = 100

test.skipIf(binary === undefined)(
  'an entry that is in the log already is found there when the server has forgotten its id',
  async () => {
    const { addresses } = await NatsCluster.start(binary!, { count: 1 })
    const session = await openSession({ servers: addresses, name: 'ids', replicas: 1 }, new AbortController().signal)
    atEnd(() => closeSession(session))
    const names = streamNames('ids')
    await ensureStreams(session, names, { replicas: 1, timeoutMs: 10_000 })
    await session.manager.streams.update(names.entries, { duplicate_window: nanos(WINDOW_MS) })
    const appender = new Appender(session, names)
    const batch = (id: string) => ({ ...entryOf(id), kind: 'batch' })
    await appender.append(entryOf('task'))
    await appender.append(batch('a'), { after: 0 })
    await appender.append(entryOf('another-task'))
    await appender.append(batch('b'), { after: 2 })
    await sleep(5 * WINDOW_MS)
    expect(await appender.append(batch('a'), { after: 0 })).toBe(2)
    expect(await appender.append(batch('b'), { after: 2 })).toBe(4)
    await expect(appender.append(batch('c'), { after: 2 })).rejects.toThrow(LogMoved)
    // Without `after` there is nothing to look for: the window has to be longer than anybody tries.
    expect(await appender.append(entryOf('task'))).toBe(5)
  },
)
