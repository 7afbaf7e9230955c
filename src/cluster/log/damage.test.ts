import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { expect, test } from 'vitest'
import { NatsCluster, natsServerForTests } from '../nats-server/cluster.fixture.js'
import type { NatsServer } from '../nats-server/server.js'
import { decodeEntry } from './entry-codec.js'
import { entryOf, idsOf, report, seconds, take, temporaryLog } from './log.fixture.js'
import type { LogEntry, ReplicatedLog } from './model.js'
import { LogDamaged } from './problems.js'

const binary = await natsServerForTests()
const cluster = binary === undefined ? undefined : await NatsCluster.start(binary)
const clusterTest = test.skipIf(cluster === undefined)

const COUNT = 200
/** Consumers are placed on any replica: so many readings meet the damaged one all but certainly. */
const READINGS = 12

clusterTest.each([
  ['in the middle', 120],
  ['at the end', COUNT],
])(
  'an entry %s that one replica has damaged is read from another',
  async (_, sequence) => {
    const { log, name, marks } = await filledLog()
    const victim = cluster!.servers[1]!
    await damage([victim], name, marks[sequence - 1]!)
    await untilHandedOutDamaged(name, sequence)
    const started = performance.now()
    for (let i = 0; i < READINGS; i++) {
      const entries = await take(log, 1, COUNT)
      expect(entries.map(({ body }) => Buffer.from(body).toString())).toEqual(marks)
    }
    report(`${READINGS} readings took ${seconds(performance.now() - started)}`)
  },
  120_000,
)

clusterTest(
  'an entry that all replicas have damaged comes from elsewhere, or is named',
  async () => {
    const { log, name, marks } = await filledLog()
    await damage(cluster!.servers, name, marks[49]!)
    const fate = take(log, 1, COUNT)
    await expect(fate).rejects.toThrow(LogDamaged)
    await expect(fate).rejects.toMatchObject({ sequence: 50 })
    const asked: number[] = []
    const repair = async (sequence: number): Promise<LogEntry | undefined> => {
      asked.push(sequence)
      return sequence === 50 ? { sequence, ...entryOf('e49', marks[49]!) } : undefined
    }
    const entries = await take(log, 1, COUNT, { repair })
    expect(idsOf(entries)).toEqual(marks.map((_, i) => `e${i}`))
    expect(asked).toContain(50)
  },
  120_000,
)

clusterTest(
  'a chunk of a blob that one replica has damaged is read from another; if all have, the blob is damaged',
  async () => {
    const name = newName()
    const log = await temporaryLog(cluster!, { name })
    const bytes = randomBytes(5_000_000)
    const ref = await log.putBlob(pieces(bytes))
    const read = async () => {
      const chunks: Uint8Array[] = []
      for await (const chunk of log.openBlob(ref)) chunks.push(chunk)
      return Buffer.concat(chunks)
    }
    const inThird = bytes.subarray(2_500_000, 2_500_040)
    for (const victim of cluster!.servers) {
      await damage([victim], `${name}-blobs`, inThird)
      if (victim !== cluster!.servers.at(-1)) expect((await read()).equals(bytes)).toBe(true)
    }
    await expect(read()).rejects.toThrow(LogDamaged)
  },
  120_000,
)

const newName = () => `damage-${Math.random().toString(36).slice(2)}`

/** Every entry has a body that is nowhere else. */
async function filledLog(): Promise<{ log: ReplicatedLog; name: string; marks: string[] }> {
  const name = newName()
  const log = await temporaryLog(cluster!, { name })
  const marks = Array.from({ length: COUNT }, (_, i) => `${i} ${randomBytes(100).toString('hex')}`)
  for (const [i, mark] of marks.entries()) await log.append(entryOf(`e${i}`, mark))
  return { log, name, marks }
}

/** Flips a bit within these bytes in the files of a stream, while the servers are down. */
async function damage(servers: readonly NatsServer[], stream: string, bytes: string | Uint8Array): Promise<void> {
  for (const server of servers) {
    await server.stop()
    const folder = join(server.options.folder, 'jetstream', '$G', 'streams', stream, 'msgs')
    const paths = readdirSync(folder).map((file) => join(folder, file))
    const path = paths.find((candidate) => readFileSync(candidate).includes(bytes))!
    const content = readFileSync(path)
    content[content.indexOf(bytes) + 20]! ^= 1
    writeFileSync(path, content)
    await server.start()
    await cluster!.ready()
  }
}

/** Replicas are asked at random, and one that was away answers after some seconds. */
async function untilHandedOutDamaged(stream: string, sequence: number): Promise<void> {
  const connection = await connect({ servers: cluster!.addresses })
  const manager = await jetstreamManager(connection)
  const started = performance.now()
  for (;;) {
    // Undefined: nobody answered in time.
    const stored = await manager.direct.getMessage(stream, { seq: sequence }).catch(() => undefined)
    if (stored === null || (stored !== undefined && decodeEntry(sequence, stored.data) === undefined)) break
    await sleep(20)
  }
  await connection.close()
  const how = `handed out damaged or not at all ${seconds(performance.now() - started)} after its replica was started`
  report(`entry ${sequence}: ${how}`)
}

async function* pieces(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}
