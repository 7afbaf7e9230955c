import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as locks from 'fs-native-extensions'
import * as lmdb from 'lmdb'
import { expect, test } from 'vitest'
import { tryLock } from './file-lock-addon.js'
import loadLmdbAddon from './lmdb-addon.js'

test('the native part of lmdb is the one that the package finds', () => {
  const { nativeAddon } = lmdb as unknown as { readonly nativeAddon: unknown }
  expect(loadLmdbAddon()).toBe(nativeAddon)
})

test('bytes are locked for this function and for the package alike', () => {
  const folder = mkdtempSync(join(tmpdir(), 'findling-addons-'))
  const [first, second] = [0, 1].map(() => openSync(join(folder, 'file'), 'a+')) as [number, number]
  try {
    expect([tryLock(first, 8, 1), tryLock(second, 8, 1), locks.tryLock(second, 8, 1)]).toEqual([true, false, false])
    closeSync(first)
    expect(tryLock(second, 8, 1)).toBe(true)
    expect(() => tryLock(-1, 8, 1)).toThrow()
  } finally {
    closeSync(second)
    rmSync(folder, { recursive: true })
  }
})
