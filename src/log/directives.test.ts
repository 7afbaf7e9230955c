import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseDirectives, thresholdOf } from './directives.js'

function thresholds(text: string, ...modules: readonly string[]): string[] {
  const parsed = parseDirectives(text)
  if (!parsed.ok) throw new Error(parsed.reason)
  return modules.map((module) => thresholdOf(parsed.value, module))
}

test.each([
  ['off', 'OFF'],
  ['error', 'ERROR'],
  ['Warn', 'WARN'],
  ['INFO', 'INFO'],
  ['debug', 'DEBUG'],
  ['trace', 'TRACE'],
  ['0', 'OFF'],
  ['1', 'ERROR'],
  ['3', 'INFO'],
  ['5', 'TRACE'],
])('the bare level %s counts for every module', (text, expected) => {
  expect(thresholds(text, 'server', 'tasks.batch')).toEqual([expected, expected])
})

test('a bare name is that module at trace, and nothing else', () => {
  expect(thresholds('tasks', 'tasks', 'tasks.batch', 'server')).toEqual(['TRACE', 'TRACE', 'OFF'])
})

test('a name with a level stands beside the level for everything', () => {
  expect(thresholds('info,tasks=debug', 'tasks', 'server')).toEqual(['DEBUG', 'INFO'])
  expect(thresholds('tasks=off, 4', 'tasks', 'server')).toEqual(['OFF', 'DEBUG'])
})

test('the most specific prefix wins, wherever it stands', () => {
  const expected = ['TRACE', 'ERROR', 'INFO']
  expect(thresholds('info,server=error,server.http=trace', 'server.http', 'server', 'tasks')).toEqual(expected)
  expect(thresholds('server.http=trace,server=error,info', 'server.http', 'server', 'tasks')).toEqual(expected)
})

test('the last of two directives for the same name counts', () => {
  expect(thresholds('info,debug,a=warn,a=error', 'a', 'b')).toEqual(['ERROR', 'DEBUG'])
})

test.each(['', ' ', '==', 'a==info', 'a=b=info', '=info', 'a=', 'a=loud', 'a=6', 'info,', ',info'])(
  '%j is refused with a reason',
  (text) => {
    expect(parseDirectives(text)).toEqual({ ok: false, reason: expect.stringMatching(/./) })
  },
)

test('no text is too strange to be answered', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(typeof parseDirectives(text).ok).toBe('boolean')
    }),
  )
})
