import { createHmac } from 'node:crypto'
import { SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { toPlain } from '../../json/index.js'
import { parseTenantToken } from './tenant-token.js'

const uid = '6f1c2d3e-0a1b-4c2d-8e3f-112233445566'
const keyValue = '17b9037c1e9662d05383423a6058e771ced59b6e4e008dd2b2d59de58ae719e2'
const exampleToken =
  'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzZWFyY2hSdWxlcyI6eyJzaG9wXyoiOnsiZmlsdGVyIjoidGVuYW50ID0gNyJ9fSwiYXBpS2V5VWlkIjoiNmYxYzJkM2UtMGExYi00YzJkLThlM2YtMTEyMjMzNDQ1NTY2IiwiZXhwIjo0MTAyNDQ0ODAwfQ.wi2K3rCAaiJq7PqwWNnmbUuAGa9gDRU9egrdi-pSG8U'

const sign = (claims: Record<string, unknown>, alg = 'HS256') =>
  new SignJWT(claims).setProtectedHeader({ alg, typ: 'JWT' }).sign(Buffer.from(keyValue))

const rulesOf = async (searchRules: unknown) =>
  parseTenantToken(await sign({ apiKeyUid: uid, searchRules }))?.claims.rules

test('the example of the specification is understood', () => {
  const token = parseTenantToken(exampleToken)
  expect(token?.isSignedBy(keyValue)).toBe(true)
  expect(token?.isSignedBy(keyValue.replace('1', '2'))).toBe(false)
  expect(token?.claims).toMatchObject({ apiKeyUid: uid, expiresAt: 4102444800 })
  expect(token?.claims.rules.filterFor('shop_1')).toBe('tenant = 7')
  expect(token?.claims.rules.allows('faq')).toBe(false)
})

test.each(['HS256', 'HS384', 'HS512'])('tokens that a library signs with %s are good', async (alg) => {
  const token = parseTenantToken(await sign({ apiKeyUid: uid, searchRules: ['*'] }, alg))
  expect(token?.isSignedBy(keyValue)).toBe(true)
})

test('tokens in the standard base64 alphabet are good too', () => {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64').replaceAll('=', '')
  const body = `${encode({ alg: 'HS256' })}.${encode({ apiKeyUid: uid, searchRules: ['ÿÿ>>??', '*'] })}`
  expect(body).toMatch(/[+/]/)
  const signature = createHmac('sha256', keyValue).update(body).digest('base64').replaceAll('=', '')
  expect(parseTenantToken(`${body}.${signature}`)?.isSignedBy(keyValue)).toBe(true)
})

test('a changed token is not signed', async () => {
  const [header, , signature] = (await sign({ apiKeyUid: uid, searchRules: ['a'] })).split('.')
  const payload = Buffer.from(JSON.stringify({ apiKeyUid: uid, searchRules: ['*'] })).toString('base64url')
  expect(parseTenantToken(`${header}.${payload}.${signature}`)?.isSignedBy(keyValue)).toBe(false)
  expect(parseTenantToken(`${header}.${payload}.`)?.isSignedBy(keyValue)).toBe(false)
})

test.each([
  [{ searchRules: ['*'] }],
  [{ apiKeyUid: 'shop', searchRules: ['*'] }],
  [{ apiKeyUid: uid }],
  [{ apiKeyUid: uid, searchRules: '*' }],
  [{ apiKeyUid: uid, searchRules: [1] }],
  [{ apiKeyUid: uid, searchRules: { a: 'b = 1' } }],
  [{ apiKeyUid: uid, searchRules: { a: [] } }],
  [{ apiKeyUid: uid, searchRules: ['*'], aud: 'me' }],
  [{ apiKeyUid: uid, searchRules: ['*'], exp: 1.5 }],
  [{ apiKeyUid: uid, searchRules: ['*'], exp: '1' }],
])('the claims %j are refused', (claims) => {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const body = `${encode({ alg: 'HS256' })}.${encode(claims)}`
  const signature = createHmac('sha256', keyValue).update(body).digest('base64url')
  expect(parseTenantToken(`${body}.${signature}`)).toBeUndefined()
})

test.each(['', 'a.b', 'a.b.c.d', '..', `${exampleToken}=`, `${exampleToken}.x`])('%j is no token', (text) => {
  expect(parseTenantToken(text)).toBeUndefined()
})

test.each(['none', 'RS256', 'hs256', 1, undefined])('the algorithm %j is refused', (alg) => {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  expect(parseTenantToken(`${encode({ alg })}.${exampleToken.split('.').slice(1).join('.')}`)).toBeUndefined()
})

test('claims that mean nothing here are ignored', async () => {
  const claims = { apiKeyUid: uid, searchRules: ['*'], nbf: 9999999999, iat: 1, iss: 'x', sub: 'y', exp: null, more: 1 }
  expect(parseTenantToken(await sign(claims))?.claims.expiresAt).toBeNull()
})

test('exactly one rule applies: an exact name, else the longest pattern', async () => {
  const rules = await rulesOf({
    '*': { filter: 'a = 1' },
    'sales*': { filter: ['b = 1', ['c = 1']] },
    sales: null,
    'sales_eu*': { other: true },
  })
  expect(rules?.filterFor('books')).toBe('a = 1')
  expect(toPlain(rules?.filterFor('sales_us') ?? null)).toEqual(['b = 1', ['c = 1']])
  expect(rules?.filterFor('sales')).toBeNull()
  expect(rules?.filterFor('sales_eu_1')).toBeNull()
})

test('rules may allow nothing', async () => {
  expect((await rulesOf([]))?.allows('a')).toBe(false)
  expect((await rulesOf({}))?.allows('a')).toBe(false)
})
