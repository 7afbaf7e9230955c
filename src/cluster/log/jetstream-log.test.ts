import { createHash, randomBytes } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { NatsCluster, natsServerForTests } from '../nats-server/cluster.fixture.js'
import { Writers } from './history.fixture.js'
import { entryOf, idsOf, report, seconds, take, temporaryLog } from './log.fixture.js'
import type { BlobRef, ReplicatedLog } from './model.js'
import { openLog } from './open-log.js'
import { LazySync, LogDamaged, LogMoved, LogTrimmed } from './problems.js'

// Servers that start or elect a leader may take long where tests run beside others.
vi.setConfig({ testTimeout: 90_000 })

const binary = await natsServerForTests()
const cluster = binary === undefined ? undefined : await NatsCluster.start(binary)
const clusterTest = test.skipIf(cluster === undefined)
const newLog = () => temporaryLog(cluster!)

clusterTest('entries are read as they were appended, also while they come', async () => {
  const log = await newLog()
  expect(await log.last()).toBe(0)
  const reading = take(log, 1, 4)
  const kinds = ['task', 'batch', 'task', 'state']
  const bodies = ['', 'b', 'body', randomBytes(900_000).toString('latin1')]
  const entries = bodies.map((body, i) => ({ id: `e${i}`, kind: kinds[i]!, body: Buffer.from(body, 'latin1') }))
  for (const [i, entry] of entries.entries()) expect(await log.append(entry)).toBe(i + 1)
  const expected = entries.map((entry, i) => ({ sequence: i + 1, ...entry }))
  expect(await reading).toEqual(expected)
  expect(await take(log, 3, 2)).toEqual(expected.slice(2))
  expect(await log.last()).toBe(4)
  expect([await log.last('task'), await log.last('batch'), await log.last('member')]).toEqual([3, 2, 0])
})

clusterTest('a reader ends with its signal and with its log', async () => {
  const log = await newLog()
  await log.append(entryOf('only'))
  const stop = new AbortController()
  const seen: string[] = []
  const reading = (async () => {
    for await (const { id } of log.read(1, { signal: stop.signal })) {
      seen.push(id)
      stop.abort()
    }
  })()
  await reading
  const other = take(log, 2, 1)
  await log.close()
  expect(await other).toEqual([])
  expect(seen).toEqual(['only'])
})

clusterTest('the same id appended again is one entry', async () => {
  const log = await newLog()
  const all = await Promise.all(Array.from({ length: 20 }, () => log.append(entryOf('same'))))
  expect(new Set(all)).toEqual(new Set([1]))
  expect(await log.append(entryOf('same'), { after: 0 })).toBe(1)
  expect(await log.append(entryOf('other'))).toBe(2)
  expect(await log.append(entryOf('same'), { after: 2 })).toBe(1)
  expect(idsOf(await take(log, 1, 2))).toEqual(['same', 'other'])
})

clusterTest(
  'of two writers that append after the same entry of a kind one succeeds, whatever else is appended',
  async () => {
    const name = `both-${process.pid}`
    const logs = [await temporaryLog(cluster!, { name }), await temporaryLog(cluster!, { name })]
    const tasks = new Writers(await temporaryLog(cluster!, { name }), { plain: 4, setting: 0 })
    const chain: string[] = []
    for (let round = 0, after = 0; round < 100; round++) {
      const ids = logs.map((_, i) => `${i}-${round}`)
      const tries = logs.map((log, i) => log.append({ ...entryOf(ids[i]!), kind: 'batch' }, { after }))
      const outcomes = await Promise.allSettled(tries)
      const winner = outcomes.findIndex(({ status }) => status === 'fulfilled')
      const loser = outcomes[1 - winner]!
      expect(loser.status === 'rejected' && loser.reason).toBeInstanceOf(LogMoved)
      chain.push(ids[winner]!)
      after = await logs[0]!.last('batch')
      expect(outcomes[winner]).toEqual({ status: 'fulfilled', value: after })
    }
    await tasks.stop()
    const entries = await take(logs[0]!, 1, await logs[0]!.last())
    expect(idsOf(entries.filter(({ kind }) => kind === 'batch'))).toEqual(chain)
    expect(entries.length).toBe(chain.length + tasks.acknowledged.size)
    report(`100 races while ${tasks.acknowledged.size} tasks were appended`)
  },
)

clusterTest('each kind is compared on its own', async () => {
  const log = await newLog()
  const batch = (id: string) => ({ ...entryOf(id), kind: 'batch' })
  expect(await log.append(batch('a'), { after: 0 })).toBe(1)
  await log.append(entryOf('task'))
  expect(await log.append(batch('b'), { after: 1 })).toBe(3)
  await expect(log.append(batch('c'), { after: 1 })).rejects.toThrow(LogMoved)
  await expect(log.append(batch('c'), { after: 0 })).rejects.toThrow('0 is not its last sequence of the kind batch')
  expect(await log.append({ ...entryOf('d'), kind: 'state' }, { after: 0 })).toBe(4)
})

clusterTest('trimmed entries are gone, and sequences go on', async () => {
  const log = await newLog()
  for (let i = 1; i <= 10; i++) await log.append(entryOf(`e${i}`))
  expect(await log.trim(6)).toBe(6)
  expect(idsOf(await take(log, 6, 5))).toEqual(['e6', 'e7', 'e8', 'e9', 'e10'])
  await expect(take(log, 5, 1)).rejects.toThrow(LogTrimmed)
  await expect(log.trim(12)).rejects.toThrow(RangeError)
  expect(await log.trim(3)).toBe(6)
  expect(await log.last()).toBe(10)
})

clusterTest('trimming leaves the last entry of each kind, so that the next is appended after it', async () => {
  const log = await newLog()
  for (let i = 1; i <= 4; i++) await log.append(entryOf(`e${i}`))
  await log.append({ ...entryOf('s5'), kind: 'state' }, { after: 0 })
  for (let i = 6; i <= 9; i++) await log.append(entryOf(`e${i}`))
  expect(await log.trim(10)).toBe(5)
  await expect(log.append({ ...entryOf('s10'), kind: 'state' }, { after: 0 })).rejects.toThrow(LogMoved)
  expect(await log.append({ ...entryOf('s10'), kind: 'state' }, { after: 5 })).toBe(10)
  expect(await log.trim(11)).toBe(9)
  expect(await log.append(entryOf('e11'), { after: 9 })).toBe(11)
  expect(idsOf(await take(log, 9, 3))).toEqual(['e9', 's10', 'e11'])
})

clusterTest('health names the leader and its replicas', async () => {
  const log = await newLog()
  await log.append(entryOf('a'))
  const health = await log.health()
  expect(health).toMatchObject({ firstSequence: 1, lastSequence: 1, messages: 1 })
  expect(health.replicas.map(({ name }) => name).sort()).toEqual(['n1', 'n2', 'n3'])
  expect(health.replicas.filter(({ isLeader }) => isLeader)).toEqual([
    { name: health.leader, isLeader: true, isCurrent: true, isOffline: false, lag: 0 },
  ])
})

clusterTest.each([0, 1, 5_000_000, 40_000_000])('a blob of %d bytes comes back', async (sizeBytes) => {
  const log = await newLog()
  const bytes = randomBytes(sizeBytes)
  const started = performance.now()
  const ref = await log.putBlob(inPieces(bytes, 70_001))
  const put = performance.now()
  expect(ref).toMatchObject({ sizeBytes, sha256: createHash('sha256').update(bytes).digest('hex') })
  expect((await readBlob(log, ref)).equals(bytes)).toBe(true)
  const read = performance.now()
  report(`blob of ${sizeBytes} bytes: put in ${seconds(put - started)}, read in ${seconds(read - put)}`)
})

clusterTest('the same bytes are stored once, until the last ref to them is deleted', async () => {
  const log = await newLog()
  const bytes = randomBytes(2_500_000)
  const first = await log.putBlob(inPieces(bytes, 1_000_000))
  const once = (await log.health()).blobBytes
  const [second, third] = await Promise.all([
    log.putBlob(inPieces(bytes, 500_000)),
    log.putBlob(inPieces(bytes, 123_456)),
  ])
  expect((await log.health()).blobBytes).toBeLessThan(once + 1_000)
  await log.deleteBlob(first)
  await log.deleteBlob(first)
  await expect(readBlob(log, first)).rejects.toThrow(LogDamaged)
  expect((await readBlob(log, second)).equals(bytes)).toBe(true)
  await log.deleteBlob(second)
  await log.deleteBlob(third)
  expect((await log.health()).blobBytes).toBe(0)
  const again = await log.putBlob(inPieces(bytes, 1_000_000))
  expect((await readBlob(log, again)).equals(bytes)).toBe(true)
})

clusterTest('appends in flight and one after the other', async () => {
  const log = await newLog()
  const body = randomBytes(1_000)
  const times: number[] = []
  for (let i = 0; i < 500; i++) {
    const started = performance.now()
    await log.append({ id: `one-${i}`, kind: 'task', body })
    times.push(performance.now() - started)
  }
  times.sort((a, b) => a - b)
  const started = performance.now()
  await Promise.all(
    Array.from({ length: 64 }, async (_, writer) => {
      for (let i = 0; i < 50; i++) await log.append({ id: `many-${writer}-${i}`, kind: 'task', body })
    }),
  )
  const ms = performance.now() - started
  const readStarted = performance.now()
  const entries = await take(log, 1, 3_700)
  const readMs = performance.now() - readStarted
  expect(new Set(idsOf(entries)).size).toBe(3_700)
  report(
    `append 1 KB: p50 ${times[250]!.toFixed(2)} ms, p99 ${times[495]!.toFixed(2)} ms, 64 in flight ${Math.round(3_200_000 / ms)}/s; read ${Math.round(3_700_000 / readMs)}/s`,
  )
})

clusterTest('servers that sync lazily are refused, unless they are allowed', async () => {
  const lazy = await NatsCluster.start(binary!, { count: 1, lazySync: true })
  const options = { servers: lazy.addresses, name: 'lazy', replicas: 1 }
  await expect(openLog({ ...options, monitors: lazy.monitors })).rejects.toThrow(LazySync)
  await expect(openLog({ ...options, monitors: lazy.monitors })).rejects.toThrow(/n1 .*sync_interval: always/)
  await expect(openLog(options)).rejects.toThrow(LazySync)
  const log = await openLog({ ...options, allowLazySync: true })
  expect(await log.append(entryOf('a'))).toBe(1)
  expect(idsOf(await take(log, 1, 1))).toEqual(['a'])
  await log.close()
})

async function* inPieces(bytes: Buffer, length: number): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
}

async function readBlob(log: ReplicatedLog, ref: BlobRef): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of log.openBlob(ref)) chunks.push(chunk)
  return Buffer.concat(chunks)
}
