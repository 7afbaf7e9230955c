import { expect, test } from 'vitest'
import { maskCredentials, maskHeader } from './mask-header.js'

test.each([
  ['TOKEN', 'XXX...'],
  ['UPDATED TOKEN', 'UPXXXX...'],
  ['Bearer a-secret-token', 'Bearer a-XXXX...'],
  [`Bearer ${'k'.repeat(34)}`, 'Bearer kkkkkXXXXXX...'],
  ['Bearer ', 'Bearer XXX...'],
  ['bearer a-secret-token', 'beaXXXXX...'],
  ['Basic dXNlcjpwYXNzd29yZA==', 'BasXXXXX...'],
  ['', 'XXX...'],
])('the authorization %j is shown as %j', (value, shown) => {
  expect(maskCredentials(value)).toBe(shown)
})

test.each([
  ['Authorization', 'Bearer a-secret-token', 'Bearer a-XXXX...'],
  ['X-Api-Key', 'word', 'XXX...'],
  ['Ocp-Apim-Subscription-Key', 'word', 'XXX...'],
  ['X-Auth', 'word', 'XXX...'],
  ['Cookie', 'word', 'XXX...'],
  ['X-Custom', 'hunter2', 'XXX...'],
  ['X-Custom', 'not a single word', 'noXXXX...'],
])('%s: %s is shown as %s', (name, value, shown) => {
  expect(maskHeader(name, value)).toBe(shown)
})

test.each([
  ['Content-Type', 'application/json; charset=utf-8'],
  ['accept-language', 'en-US,en;q=0.5'],
  ['Custom-Header', 'CustomValue'],
  ['Api-Version', '2026-01-05'],
  ['X-Flag', ''],
])('%s: %s is shown', (name, value) => {
  expect(maskHeader(name, value)).toBe(value)
})
