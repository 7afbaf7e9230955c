import { expect, test } from 'vitest'
import { loadOptional } from './optional-package.js'

test('a package that is not installed is undefined', () => {
  expect(loadOptional('no-such-package-anywhere')).toBeUndefined()
})

test('a package that is installed gives its exports', () => {
  expect(loadOptional('fast-check')).toMatchObject({ assert: expect.any(Function) })
})
