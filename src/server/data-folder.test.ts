import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { INTERFACE_VERSION, LaunchError } from '../config/index.js'
import { FolderInUse } from '../store/index.js'
import {
  beginImport,
  clearUnfinishedImport,
  endImport,
  inspectDataFolder,
  lockDataFolder,
  shouldImport,
  undoImport,
  writeVersion,
} from './data-folder.js'
import { temporaryFolder } from './test-server.fixture.js'

const stay = { upgradeInPlace: false }
const upgrade = { upgradeInPlace: true }

function folderWith(version: string | undefined): string {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'data.mdb'), '')
  if (version !== undefined) writeFileSync(join(folder, 'VERSION'), version)
  return folder
}

test('a missing, an empty and a barely begun folder are empty', () => {
  const folder = temporaryFolder()
  expect(inspectDataFolder(folder, stay)).toEqual({ isEmpty: true, upgradeFrom: null })
  expect(inspectDataFolder(join(folder, 'none'), stay).isEmpty).toBe(true)
  writeFileSync(join(folder, 'VERSION.new'), '1.4')
  expect(inspectDataFolder(folder, stay).isEmpty).toBe(true)
})

test('a folder that was marked is one of this version', () => {
  const folder = join(temporaryFolder(), 'deep', 'db')
  writeVersion(folder)
  expect(readFileSync(join(folder, 'VERSION'), 'utf8')).toBe(INTERFACE_VERSION)
  expect(inspectDataFolder(folder, stay)).toEqual({ isEmpty: false, upgradeFrom: null })
})

test.each([undefined, '', 'one', '1.49', '1.49.0.1'])('a folder with the version file %j is refused', (version) => {
  expect(() => inspectDataFolder(folderWith(version), upgrade)).toThrow(LaunchError)
})

test.each(['1.48.2', '1.50.0', '2.0.0'])('version %s is refused without the upgrade flag', (version) => {
  expect(() => inspectDataFolder(folderWith(version), stay)).toThrow(/1\.49\.0/)
})

test('an older folder is upgraded when asked, a newer or too old one is not', () => {
  expect(inspectDataFolder(folderWith('1.12.0'), upgrade)).toEqual({ isEmpty: false, upgradeFrom: '1.12.0' })
  expect(() => inspectDataFolder(folderWith('1.11.9'), upgrade)).toThrow(LaunchError)
  expect(() => inspectDataFolder(folderWith('1.49.1'), upgrade)).toThrow(LaunchError)
})

test.each([
  // folder, file, flags that ignore (existing db, missing file) -> what happens
  ['empty', 'exists', false, false, true],
  ['empty', 'missing', false, false, 'abort'],
  ['empty', 'missing', true, false, 'abort'],
  ['empty', 'missing', false, true, false],
  ['full', 'exists', false, false, 'abort'],
  ['full', 'exists', false, true, 'abort'],
  ['full', 'exists', true, false, false],
  ['full', 'missing', true, false, 'abort'],
  ['full', 'missing', true, true, false],
] as const)('folder %s, file %s, ignoring %s/%s: %s', (folder, file, ignoreIfDbExists, ignoreMissing, expected) => {
  const path = join(temporaryFolder(), 'a.dump')
  if (file === 'exists') mkdirSync(path)
  const wanted = { kind: 'dump', path, ignoreIfDbExists, ignoreMissing } as const
  const decide = () => shouldImport({ path: '/db', isEmpty: folder === 'empty' }, wanted)
  if (expected === 'abort') expect(decide).toThrow(LaunchError)
  else expect(decide()).toBe(expected)
})

test('a folder whose import was cut off is empty, whatever is in it', () => {
  const folder = join(temporaryFolder(), 'db')
  beginImport(folder)
  mkdirSync(join(folder, 'tasks'))
  writeVersion(folder)
  expect(inspectDataFolder(folder, stay)).toEqual({ isEmpty: true, upgradeFrom: null })
  beginImport(folder)
  expect(readdirSync(folder)).toEqual(['IMPORTING'])
  clearUnfinishedImport(folder)
  expect(readdirSync(folder)).toEqual([])
})

test('a folder whose import is done is a data folder like others', () => {
  const folder = join(temporaryFolder(), 'db')
  beginImport(folder)
  writeVersion(folder)
  endImport(folder)
  expect(inspectDataFolder(folder, stay)).toEqual({ isEmpty: false, upgradeFrom: null })
  clearUnfinishedImport(folder)
  expect(readdirSync(folder)).toEqual(['VERSION'])
})

test('an import that failed leaves an empty folder', () => {
  const folder = join(temporaryFolder(), 'db')
  beginImport(folder)
  mkdirSync(join(folder, 'tasks'))
  undoImport(folder)
  expect(readdirSync(folder)).toEqual([])
})

test('what a nats-server stores in the folder is no data of the server, and outlives it', () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'nats'))
  expect(inspectDataFolder(folder, stay).isEmpty).toBe(true)
  beginImport(folder)
  writeFileSync(join(folder, 'data.mdb'), '')
  undoImport(folder)
  expect(readdirSync(folder)).toEqual(['nats'])
})

test('a folder that another has is refused with one sentence, whatever is in it, and left as it is', () => {
  const folder = join(temporaryFolder(), 'db')
  const lock = lockDataFolder(folder, stay)
  expect(inspectDataFolder(folder, stay).isEmpty).toBe(true)
  for (const content of ['VERSION', 'IMPORTING']) {
    writeFileSync(join(folder, content), INTERFACE_VERSION)
    const names = readdirSync(folder)
    const refusal = new RegExp(`^The data folder ${folder} is in use by process ${process.pid} on host .+ since .+\\.$`)
    expect(() => lockDataFolder(folder, stay)).toThrow(refusal)
    expect(() => lockDataFolder(folder, stay)).toThrow(LaunchError)
    expect(readdirSync(folder)).toEqual(names)
  }
  lock.release()
  lockDataFolder(folder, stay).release()
})

test('the lock stays while a folder is emptied for an import and after it', () => {
  const folder = join(temporaryFolder(), 'db')
  const lock = lockDataFolder(folder, stay)
  beginImport(folder)
  undoImport(folder)
  expect(() => lockDataFolder(folder, stay)).toThrow(expect.objectContaining({ cause: expect.any(FolderInUse) }))
  lock.release()
  expect(existsSync(folder)).toBe(false)
})

test('a folder of something else gets no lock', () => {
  const folder = folderWith(undefined)
  expect(() => lockDataFolder(folder, stay)).toThrow(/not a data folder/)
  expect(readdirSync(folder)).toEqual(['data.mdb'])
})
