import { expect, test } from 'vitest'
import { maskQuery, maskUrl } from './mask-url.js'

test.each([
  ['https://anna:pa55@h.example/v1?x=1', 'https://anna:XXX...@h.example/v1?x=1'],
  ['https://anna:p%40ss@h.example', 'https://anna:XXX...@h.example/'],
  ['https:anna:pa55@h.example', 'https://anna:XXX...@h.example/'],
  ['https://ghp_token@h.example/', 'https://XXX...@h.example/'],
  ['https://:pa55@h.example/', 'https://:XXX...@h.example/'],
  ['https://h.example/embed?key=AIza123&v=1', 'https://h.example/embed?key=XXX...&v=1'],
  [
    'https://h.example/?api_key=a&access_token=b&sig=c',
    'https://h.example/?api_key=XXX...&access_token=XXX...&sig=XXX...',
  ],
  ['https://anna:pa55@h example/', 'https://XXX...@h example/'],
])('%s is shown as %s', (url, shown) => {
  expect(maskUrl(url)).toBe(shown)
  expect(maskUrl(shown)).toBe(shown)
})

test.each(['https://h.example', 'HTTP://H.example/a//b?q=@#x', 'https://h.example/?primaryKey=id&key=', 'kefir', ''])(
  '%j stays as it is',
  (url) => {
    expect(maskUrl(url)).toBe(url)
  },
)

test('the secrets of a query string are hidden by their names', () => {
  expect(maskQuery('q=token&apiKey=abc&primaryKey=id&flag')).toBe('q=token&apiKey=XXX...&primaryKey=id&flag')
  expect(maskQuery('')).toBe('')
})
