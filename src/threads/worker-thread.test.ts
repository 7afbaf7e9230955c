import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { afterEach, describe, expect, test } from 'vitest'
import { WorkerThread, type WorkerThreadOptions } from './worker-thread.js'

/**
 * Answers with its number and the text that it was asked; `crash` ends it, `throw` is a problem, `wait` is answered when
 * `go on` comes, `tell` gives a notice first, and bytes are answered with their length.
 */
const SCRIPT = `
const { parentPort, threadId } = require('node:worker_threads')
let waiting = []
parentPort.on('message', ({ id, question }) => {
  const reply = () => parentPort.postMessage({ id, is: 'outcome', outcome: threadId + ' ' + (question.length ?? question) })
  if (question === 'crash') process.exit(3)
  if (question === 'throw') {
    return parentPort.postMessage({ id, is: 'problem', problem: { is: 'surprise', message: 'no', code: 28 } })
  }
  if (question === 'tell') parentPort.postMessage({ noticed: true })
  if (question === 'wait') return waiting.push(reply)
  if (question === 'go on') for (const each of waiting) each()
  reply()
})`

const opened: WorkerThread<string | Uint8Array, string, { noticed: boolean }>[] = []
afterEach(async () => {
  for (const thread of opened.splice(0)) await thread.close()
})

function threadWith(options: Partial<WorkerThreadOptions<string | Uint8Array, { noticed: boolean }>> = {}) {
  const workers: Worker[] = []
  const thread = new WorkerThread<string | Uint8Array, string, { noticed: boolean }>({
    name: 'the thread',
    create: () => {
      const worker = new Worker(SCRIPT, { eval: true })
      workers.push(worker)
      return worker
    },
    ...options,
  })
  opened.push(thread)
  return { thread, workers }
}

const numberIn = (outcome: string) => outcome.split(' ')[0]

test('it starts with the first question, and stays', async () => {
  const { thread, workers } = threadWith()
  expect([thread.isRunning, await thread.askIfRunning('a')]).toEqual([false, undefined])
  const first = await thread.ask('a')
  expect(numberIn(await thread.ask('b'))).toBe(numberIn(first))
  expect([thread.isRunning, thread.load, workers.length]).toEqual([true, 0, 1])
})

test('answers find their questions, in whatever order they come', async () => {
  const { thread } = threadWith()
  const order: string[] = []
  const asked = ['wait', 'a', 'go on'].map(async (question) => {
    await thread.ask(question)
    order.push(question)
  })
  expect(thread.load).toBe(3)
  await Promise.all(asked)
  expect(order).toEqual(['a', 'wait', 'go on'])
})

test('what the thread throws is thrown, with its code, and the thread goes on', async () => {
  const { thread, workers } = threadWith()
  await expect(thread.ask('throw')).rejects.toMatchObject({ message: 'no', code: 28 })
  await thread.ask('a')
  expect(workers.length).toBe(1)
})

test('what was not asked for is a notice, and everything is a sign', async () => {
  const told: string[] = []
  const { thread } = threadWith({ onSign: () => told.push('sign'), onNotice: () => told.push('notice') })
  await thread.ask('tell')
  expect(told).toEqual(['sign', 'notice', 'sign'])
})

test('given memory is gone, and a nudge waits for nothing', async () => {
  const { thread } = threadWith()
  const bytes = new Uint8Array(3)
  expect((await thread.ask(bytes, [bytes.buffer])).split(' ')[1]).toBe('3')
  expect(bytes.length).toBe(0)
  thread.nudge('a')
  expect(thread.load).toBe(0)
})

describe('a thread that is lost', () => {
  test('fails what is under way, and the next question gets another one', async () => {
    const lost: unknown[] = []
    const { thread, workers } = threadWith({ onLost: (error, awaited) => lost.push([error.message, awaited]) })
    const outcomes = await Promise.allSettled([thread.ask('wait'), thread.ask('crash')])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(lost).toEqual([['the thread ended with code 3', 2]])
    await thread.ask('a')
    expect(workers.length).toBe(2)
  })

  test('has nothing to say to whoever asks only one that runs', async () => {
    const { thread } = threadWith()
    await thread.ask('a')
    thread.nudge('crash')
    await expect(thread.askIfRunning('b')).resolves.toBeUndefined()
  })

  test('is not replaced where it kept something', async () => {
    const { thread } = threadWith({ isUnique: true })
    await expect(thread.ask('crash')).rejects.toThrow('ended with code 3')
    await expect(thread.ask('a')).rejects.toThrow('ended with code 3')
  })

  test('may be explained', async () => {
    const { thread } = threadWith({ explain: ({ message }) => new Error(`sorry: ${message}`) })
    await expect(thread.ask('crash')).rejects.toThrow('sorry: the thread ended with code 3')
  })

  test('may be given up by who looks after it', async () => {
    const { thread, workers } = threadWith()
    const asked = thread.ask('wait')
    const ended = once(workers[0]!, 'exit')
    thread.giveUp(new Error('too quiet'))
    await expect(asked).rejects.toThrow('too quiet')
    await ended
    expect(thread.isRunning).toBe(false)
  })
})

test('it ends when it had nothing to do for a while, and starts again', async () => {
  const given: number[] = []
  const { thread, workers } = threadWith({
    endAfterMs: (givenBytes) => {
      given.push(givenBytes)
      return givenBytes > 2 ? 0 : undefined
    },
  })
  await thread.ask('a')
  const ended = once(workers[0]!, 'exit')
  const bytes = new Uint8Array(3)
  await thread.ask(bytes, [bytes.buffer])
  await ended
  expect(thread.isRunning).toBe(false)
  await thread.ask('b')
  expect([workers.length, given]).toEqual([2, [0, 3, 0]])
})

test('a last question is asked before it ends so, and whoever asks only one that runs waits for that', async () => {
  const told: string[] = []
  const { thread, workers } = threadWith({
    endAfterMs: () => (thread.isRunning && workers.length === 1 ? 0 : undefined),
    farewell: 'tell',
    onEnd: () => told.push('end'),
    onNotice: () => told.push('notice'),
  })
  await thread.ask('a')
  const [worker] = workers
  const exit = once(worker!, 'exit').then(() => told.push('exit'))
  while (thread.isRunning) await new Promise(setImmediate)
  expect(await thread.askIfRunning('b')).toBeUndefined()
  await exit
  expect(told).toEqual(['end', 'exit'])
  await thread.ask('c')
  expect(workers.length).toBe(2)
})

test('a last question is asked before it is closed', async () => {
  const { thread } = threadWith()
  await thread.close('a')
  const waiting = thread.ask('wait')
  await thread.close('go on')
  await expect(waiting).resolves.toMatch(/ 4$/)
  expect(thread.isRunning).toBe(false)
})
