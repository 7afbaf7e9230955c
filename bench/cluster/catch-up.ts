import type { LocalCluster } from '../../scripts/cluster/local-cluster.js'

const INDEX = 'missed'

/** Milliseconds from the start of a server to its readiness, after it has missed so many batches. */
export async function measureCatchUp({ servers }: LocalCluster, batches: number): Promise<number> {
  const [here, , absent] = servers
  const write = async (id: number): Promise<void> => {
    const document = { id, title: `film number ${id}`, text: 'a stranger comes to town and nobody knows why he left' }
    const { body } = await here!.request('POST', `/indexes/${INDEX}/documents`, [document])
    await here!.waitTask(body.taskUid)
  }
  await write(0)
  await absent!.signal('SIGKILL')
  // Each waits for the one before, so that each is a batch.
  for (let id = 1; id <= batches; id++) await write(id)
  const startedAt = performance.now()
  await absent!.start()
  await absent!.ready(600_000)
  return performance.now() - startedAt
}
