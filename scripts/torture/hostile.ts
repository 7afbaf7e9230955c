import { attack } from '../../test/hostile/run.js'
import { TestServer } from '../../test/server.js'
import { failWith, type Part } from './part.js'
import { megabytes } from './process-facts.js'

/** About as many as a slow machine does. */
const SEARCHES_A_MINUTE = 300

/** Searches that are meant to hurt. */
export const hostileSearches: Part = async ({ seed, minutes }) => {
  const server = await TestServer.start()
  try {
    const count = Math.max(60, Math.round(minutes * SEARCHES_A_MINUTE))
    const { problems, slowest, growth } = await attack(server, seed, count)
    failWith(problems)
    const slow = `the slowest (${slowest.name}) took ${slowest.milliseconds.toFixed(0)} ms`
    return `${count} searches, ${slow}, memory grew by ${megabytes(growth)} in the second half`
  } finally {
    await server.close()
  }
}
