import fc from 'fast-check'
import { expect, test } from 'vitest'
import { repeatAnswer } from './repetition.js'
import { newUid } from './request-uid.js'

const UID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

test('a repeated answer says the same, but for its time and the uid of the request', () => {
  const text = fc.string({ unit: 'binary' })
  fc.assert(
    fc.property(text, fc.nat(99_999), text, (query, time, rest) => {
      const requestUid = newUid()
      const before = Buffer.from(`{"query":${JSON.stringify(query)},"processingTimeMs":`)
      const after = Buffer.from(`,"rest":${JSON.stringify(rest)},"requestUid":"`)
      const body = Buffer.concat([before, Buffer.from(String(time)), after, Buffer.from(`${requestUid}"}`)])
      const timeEnd = before.length + String(time).length
      const repetition = { version: 1, timeAt: before.length, timeEnd, uidAt: timeEnd + after.length }
      const copy = Buffer.from(body)
      const repeated = JSON.parse(Buffer.from(repeatAnswer(body, repetition)).toString())
      expect(repeated).toEqual({ ...JSON.parse(body.toString()), processingTimeMs: 0, requestUid: repeated.requestUid })
      expect(repeated.requestUid).toMatch(UID)
      expect(repeated.requestUid).not.toBe(requestUid)
      // It is still being sent.
      expect(body).toEqual(copy)
    }),
  )
})
