import { expect, test } from 'vitest'
import { canMountDisk, fullDisk, readOnlyFolder } from '../scripts/torture/disk.js'

const options = { seed: 1, minutes: 0, progress: () => {} }

test.runIf(canMountDisk)(
  'a full disk fails the write with its own code, and the server goes on when there is room again',
  async () => {
    expect(await fullDisk(options)).toContain('no_space_left_on_device')
  },
  120_000,
)

test.skipIf(process.platform === 'win32')(
  'folders that may only be read are refused in a sentence, or fail what needs them',
  async () => {
    expect(await readOnlyFolder(options)).toMatch(/data folder/)
  },
  60_000,
)
