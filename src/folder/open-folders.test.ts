import { expect, test } from 'vitest'
import { OpenFolders } from './open-folders.js'

/** Folders that say what happens to them. */
function foldersOf(max: number, held: readonly string[] = []) {
  const told: string[] = []
  const folders = new OpenFolders<string>({
    max,
    open: (path) => {
      told.push(`open ${path}`)
      return path.toUpperCase()
    },
    close: async (opened, path) => void told.push(`close ${path} ${opened}`),
    isHeld: (path) => held.includes(path),
  })
  return { folders, told }
}

test('a folder stays open between uses', async () => {
  const { folders, told } = foldersOf(2)
  expect([folders.get('a'), folders.get('a'), folders.has('a'), folders.has('b')]).toEqual(['A', 'A', true, false])
  expect(told).toEqual(['open a'])
  await folders.release('a')
  expect([folders.has('a'), folders.get('a')]).toEqual([false, 'A'])
  expect(told).toEqual(['open a', 'close a A', 'open a'])
})

test('the one used longest ago goes first, and only when there are too many', async () => {
  const { folders, told } = foldersOf(2)
  for (const path of ['a', 'b', 'a']) folders.get(path)
  await folders.closeSurplus()
  expect(folders.isCrowded).toBe(false)
  folders.get('c')
  expect(folders.isCrowded).toBe(true)
  await folders.closeSurplus()
  expect([...folders.all()]).toEqual(['A', 'C'])
  expect(told.at(-1)).toBe('close b B')
})

test('what is held is passed over, however many are open', async () => {
  const { folders } = foldersOf(1, ['a', 'c'])
  for (const path of ['a', 'b', 'c', 'd']) folders.get(path)
  await folders.closeSurplus()
  expect([...folders.all()]).toEqual(['A', 'C'])
})

test('what cannot be opened is not kept', () => {
  const { folders } = foldersOf(1)
  const fail = () => {
    throw new Error('damaged')
  }
  expect(() => folders.get('a', fail)).toThrow('damaged')
  expect(folders.has('a')).toBe(false)
})

test('whoever is told of a release hears of it also where nothing was open', async () => {
  const { folders, told } = foldersOf(1)
  await folders.release('a')
  folders.get('b')
  await folders.closeAll()
  expect(told).toEqual(['close a undefined', 'open b', 'close b B'])
})
