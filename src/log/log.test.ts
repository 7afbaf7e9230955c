import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { type Directives, parseDirectives } from './directives.js'
import { createLog, type LogOptions, type LogSink } from './log.js'

function logInto(lines: string[], options: Partial<LogOptions> = {}) {
  return createLog({ level: 'INFO', mode: 'JSON', write: (line) => lines.push(line), ...options })
}

function directives(text: string): Directives {
  const parsed = parseDirectives(text)
  if (!parsed.ok) throw new Error(parsed.reason)
  return parsed.value
}

function listen(): LogSink & { lines: string[]; ended: number } {
  const sink = {
    lines: [] as string[],
    ended: 0,
    write: (line: string) => sink.lines.push(line),
    end: () => sink.ended++,
  }
  return sink
}

const messages = (lines: readonly string[]) => lines.map((line) => JSON.parse(line).message)

test('a JSON record has level, time, module, facts and message, one line each', () => {
  const lines: string[] = []
  const log = logInto(lines)
  log.child('server').info({ path: '/x', status: 200 }, 'request')
  log.warn('beware')
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { level: 'INFO', time: expect.any(String), target: 'server', path: '/x', status: 200, message: 'request' },
    { level: 'WARN', time: expect.any(String), target: 'findling', message: 'beware' },
  ])
  expect(lines.every((line) => line.indexOf('\n') === line.length - 1)).toBe(true)
})

test('a human line reads as a sentence with facts', () => {
  const lines: string[] = []
  logInto(lines, { mode: 'HUMAN' })
    .child('server')
    .info({ method: 'GET', agent: 'a b', size: 5, more: { a: 1 } }, 'request')
  expect(lines[0]).toMatch(
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z {2}INFO server: request method=GET agent="a b" size=5 more={"a":1}\n$/,
  )
})

test('colours are used when asked for, and only around the level', () => {
  const lines: string[] = []
  logInto(lines, { mode: 'HUMAN', useColor: true }).error('x')
  expect(lines[0]).toContain('\u001b[31mERROR\u001b[0m findling: x\n')
})

test('text from outside cannot forge lines or send terminal codes', () => {
  const lines: string[] = []
  const log = logInto(lines, { mode: 'HUMAN' })
  log.info({ path: '/a\n2026 ERROR fake', 'x\n': '\u001b[31m\u009b' }, 'one\ntwo\u2028\u001b[0m')
  expect(lines[0]?.slice(0, -1)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028]/)
})

test('percent signs in messages stay as they are', () => {
  const lines: string[] = []
  const log = logInto(lines)
  log.info('100 %s %d %%')
  log.info({ a: 1 }, '100 %s %d %%')
  expect(messages(lines)).toEqual(['100 %s %d %%', '100 %s %d %%'])
})

test.each([
  ['OFF', []],
  ['ERROR', ['e']],
  ['WARN', ['e', 'w']],
  ['INFO', ['e', 'w', 'i']],
  ['DEBUG', ['e', 'w', 'i', 'd']],
  ['TRACE', ['e', 'w', 'i', 'd', 't']],
] as const)('at level %s the records %j are written', (level, expected) => {
  const lines: string[] = []
  const log = logInto(lines, { level }).child('m')
  log.error('e')
  log.warn('w')
  log.info('i')
  log.debug('d')
  log.trace('t')
  expect(messages(lines)).toEqual(expected)
})

test('modules inside modules are told apart by their full names', () => {
  const lines: string[] = []
  const log = logInto(lines)
  const http = log.child('server').child('http')
  log.setStderrTarget(directives('server=error,server.http=debug'))
  log.child('server').info('hidden')
  http.debug('shown')
  expect(lines.map((line) => JSON.parse(line).target)).toEqual(['server.http'])
})

test('the filter of standard error can be replaced at run time, also for loggers that exist', () => {
  const lines: string[] = []
  const log = logInto(lines)
  const tasks = log.child('tasks')
  tasks.debug('before')
  log.setStderrTarget(directives('off,tasks=debug'))
  tasks.debug('after')
  log.child('server').error('off')
  expect(messages(lines)).toEqual(['after'])
})

test('a listener gets what it asked for, whatever standard error shows', () => {
  const lines: string[] = []
  const sink = listen()
  const log = logInto(lines, { level: 'ERROR' })
  const tasks = log.child('tasks')
  const stream = log.openStream({ directives: directives('tasks=debug'), mode: 'json', sink })
  tasks.debug('one')
  log.child('server').error('two')
  stream?.close()
  tasks.error('three')
  expect(messages(sink.lines)).toEqual(['one'])
  expect(messages(lines)).toEqual(['two', 'three'])
  expect(sink.ended).toBe(1)
})

test('a listener can read human lines while standard error has JSON', () => {
  const sink = listen()
  const log = logInto([])
  log.openStream({ directives: directives('info'), mode: 'human', sink })
  log.info('hello')
  expect(sink.lines[0]).toMatch(/ INFO findling: hello\n$/)
})

test('there is one listener at a time, and the next one may come after the first', () => {
  const log = logInto([])
  const [first, second] = [listen(), listen()]
  const all = directives('trace')
  const stream = log.openStream({ directives: all, mode: 'json', sink: first })
  expect(log.openStream({ directives: all, mode: 'json', sink: second })).toBeNull()
  log.closeStream()
  log.closeStream()
  expect(first.ended).toBe(1)
  expect(log.openStream({ directives: all, mode: 'profile', sink: second })).not.toBeNull()
  // The first listener disconnects late: the second one must not notice.
  stream?.close()
  log.info('still here')
  expect(messages(second.lines)).toEqual(['still here'])
  expect([first.ended, second.ended]).toEqual([1, 0])
})

test('secrets are hidden by name, at any depth', () => {
  const lines: string[] = []
  const facts = {
    masterKey: 'S3CRET',
    api_key: 'S3CRET',
    Authorization: 'Bearer S3CRET',
    headers: { 'proxy-authorization': 'S3CRET', cookie: 'S3CRET', accept: '*/*' },
    list: [{ secret: 'S3CRET', signingKey: new Uint8Array([1]) }],
    tokens: 5,
    password: null,
  }
  logInto(lines).info(facts, 'x')
  logInto(lines, { mode: 'HUMAN' }).info(facts, 'x')
  expect(lines.join('')).not.toContain('S3CRET')
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    headers: { accept: '*/*' },
    list: [{ secret: '[hidden]', signingKey: '[hidden]' }],
    tokens: 5,
    password: null,
  })
})

test('facts that contain themselves are cut, not followed forever', () => {
  const lines: string[] = []
  const facts: Record<string, unknown> = { name: 'loop' }
  facts.self = facts
  logInto(lines).info(facts, 'x')
  expect(lines[0]).toContain('[deeper]')
})

test('an error keeps type, message, stack and cause, and nothing that a client hung on it', () => {
  const lines: string[] = []
  const error = Object.assign(new TypeError('outer', { cause: new Error('inner') }), { request: { headers: 'S3CRET' } })
  logInto(lines).error({ error }, 'failed')
  logInto(lines).error({ err: error }, 'failed')
  const expected = {
    type: 'TypeError',
    message: 'outer',
    stack: expect.stringContaining('TypeError: outer'),
    cause: { type: 'Error', message: 'inner', stack: expect.any(String) },
  }
  expect(JSON.parse(lines[0] ?? '').error).toEqual(expected)
  expect(JSON.parse(lines[1] ?? '').err).toEqual(expected)
})

test('an error in a human line has its stack below', () => {
  const lines: string[] = []
  logInto(lines, { mode: 'HUMAN' }).error({ error: new Error('out\nside', { cause: new Error('in') }) }, 'failed')
  const [first, ...rest] = (lines[0] ?? '').trimEnd().split('\n')
  expect(first).toMatch(/ERROR findling: failed error="Error: out\\nside"$/)
  expect(rest.some((line) => line.startsWith('    cause: error="Error: in"'))).toBe(true)
  expect(rest.filter((line) => !line.startsWith('    cause:')).every((line) => line.startsWith('    at '))).toBe(true)
})

test('a process that exits at once has written all its lines to standard error', () => {
  const room = new URL('./log.ts', import.meta.url).href
  const script = `const { createLog } = await import(${JSON.stringify(room)})
    const log = createLog({ level: 'INFO', mode: 'JSON' })
    for (let i = 0; i < 1000; i++) log.info({ i }, 'line')
    process.exit(3)`
  const child = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script], {
    encoding: 'utf8',
  })
  expect({ status: child.status, out: child.stdout }).toEqual({ status: 3, out: '' })
  const numbers = child.stderr
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).i)
  expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 1000 }, (_, i) => i))
})
