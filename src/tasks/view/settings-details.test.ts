import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromPlain, print } from '../../json/index.js'
import { membersOf, settingsDetails } from './settings-details.js'

test('the members of a printed object are found as they were printed', () => {
  const object = fc.dictionary(fc.string(), fc.jsonValue())
  fc.assert(
    fc.property(object, (sent) => {
      const value = fromPlain(sent) as Map<string, never>
      expect(membersOf(print(value))).toEqual([...value].map(([name, member]) => [name, print(member)]))
    }),
  )
})

test('22.2.1: long settings are shown as short ones are, secrets masked', () => {
  const synonyms = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`word ${i}`, [`"other" ${i}`, 'third']]))
  const embedders = { e: { source: 'openAi', apiKey: 'sk-a-secret-that-is-long-enough' } }
  const shown = (patch: object) => print(fromPlain(settingsDetails(print(fromPlain(patch)))))
  const long = shown({ stopWords: ['a', 'the'], synonyms, embedders })
  expect(JSON.parse(long).synonyms).toEqual(synonyms)
  expect(JSON.parse(long).embedders).toEqual(JSON.parse(shown({ embedders })).embedders)
  expect(long).not.toContain('secret')
  expect(JSON.stringify(settingsDetails(print(fromPlain({ stopWords: ['a', 'the'], synonyms }))))).toBe(
    shown({ stopWords: ['a', 'the'], synonyms }),
  )
})
