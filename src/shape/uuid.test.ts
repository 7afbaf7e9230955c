import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseUuid } from './uuid.js'

const uid = '6f1c2d3e-0a1b-4c2d-8e3f-112233445566'

test.each([uid, uid.toUpperCase(), uid.replaceAll('-', ''), `{${uid}}`, `urn:uuid:${uid}`])('%s is a UUID', (text) => {
  expect(parseUuid(text)).toBe(uid)
})

test.each(['', 'shop', `${uid}0`, uid.slice(1), `{${uid}`, `${uid}}`, ` ${uid}`, uid.replace('6', 'g'), `urn:${uid}`])(
  '%s is none',
  (text) => {
    expect(parseUuid(text)).toBeUndefined()
  },
)

test('every UUID reads as itself', () => {
  fc.assert(fc.property(fc.uuid({ version: [1, 4, 7] }), (text) => parseUuid(text) === text))
})
