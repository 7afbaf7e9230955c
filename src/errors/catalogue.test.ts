import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { catalogue, isErrorCode } from './catalogue.js'
import { clusterRows } from './rows/cluster-rows.js'

const fixture = new URL('../../test/fixtures/error-codes.json', import.meta.url)
const interfaceDescription = new URL('../../../shared/seed/search-service-interface.md', import.meta.url)
const published: Record<string, string> = JSON.parse(readFileSync(fixture, 'utf8'))

test('beside its own, the catalogue holds exactly the published codes, each with its type and status', () => {
  const others = Object.entries(catalogue).filter(([code]) => !Object.hasOwn(clusterRows, code))
  const rows = others.map(([code, { type, status }]) => [code, `${type} ${status}`])
  expect(Object.fromEntries(rows)).toEqual(published)
})

test.runIf(existsSync(interfaceDescription))('the copy of the published codes names the codes of the interface', () => {
  const text = readFileSync(interfaceDescription, 'utf8')
  const list = /Complete set of values for `code`:\s+([^.]+)\./.exec(text)?.[1] ?? ''
  expect(list.trim().split(/,\s*/).sort()).toEqual(Object.keys(published).sort())
})

test('a name is a code only when the catalogue has a row of its own for it', () => {
  expect(['index_not_found', 'toString', '__proto__', ''].map(isErrorCode)).toEqual([true, false, false, false])
})
