import { expect, test } from 'vitest'
import { routeTable } from './route-table.js'
import { SPEC_ROUTES } from './spec-routes.fixture.js'

const described = (method: string, path: string, actions: readonly string[]) => [method, path, ...actions].join(' ')
const specified = new Set(SPEC_ROUTES.map(([method, path, ...actions]) => described(method, path, actions)))

test('every route is one of the interface and asks for the permissions written there', () => {
  const unknown = routeTable
    .map(({ method, path, action }) => described(method, path, action === null ? [] : [action].flat()))
    .filter((row) => !specified.has(row))
  expect(unknown).toEqual([])
})

test('no route is declared twice', () => {
  const names = routeTable.map(({ method, path }) => `${method} ${path}`)
  expect(new Set(names).size).toBe(names.length)
})
