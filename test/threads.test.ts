import { readdirSync, readFileSync } from 'node:fs'
import { platform } from 'node:os'
import { expect, test } from 'vitest'
import { TestServer } from './server.js'

/** More than a megabyte of documents: a word thread is started for them. */
const documents = Array.from({ length: 3000 }, (_, id) => ({ id, text: `some words ${id} `.repeat(40) }))

test.runIf(platform() === 'linux')('threads that answer go before those that index', async () => {
  const server = await TestServer.start()
  try {
    const { body } = await server.request<{ taskUid: number }>('POST', '/indexes/texts/documents', documents)
    await server.waitTask(body.taskUid)
    await server.request('POST', '/indexes/texts/search', { q: 'words' })
    const [main, ...others] = prioritiesOf(server.pid)
    // The body thread, the indexing thread and the word thread that it started; search threads stay as they are.
    const countOf = (step: number) => others.filter((nice) => nice === main! + step).length
    expect([countOf(5), countOf(0)]).toEqual([3, others.length - 3])
  } finally {
    await server.close()
  }
})

/** The nice value of each thread of a process, the first thread first. */
function prioritiesOf(pid: number): number[] {
  const threads = readdirSync(`/proc/${pid}/task`).map(Number)
  return threads.sort((a, b) => a - b).map((thread) => niceOf(readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8')))
}

/** The name of a thread stands in parentheses and may hold anything; the 19th field is the 17th behind it. */
const niceOf = (stat: string): number => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
