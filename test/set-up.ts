import { afterAll } from 'vitest'
import { cleanUp } from '../src/store/at-end.fixture.js'

// Here and not in the fixture: files of tests that share a process load that only once, and this before each of them.
afterAll(cleanUp)
