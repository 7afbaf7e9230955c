import { expect, test } from 'vitest'
import { LocalStateLog } from '../../store/index.js'
import { temporaryEnvironment } from '../../store/temporary.fixture.js'
import { FeatureStore } from './feature-store.js'

const OFF = { metrics: false, logsRoute: false, containsFilter: false, legacySearchDefault: false }
const METRICS = { ...OFF, metrics: true }

const open = (log: LocalStateLog, launch = OFF) => new FeatureStore(log, launch)
const newLog = () => new LocalStateLog(temporaryEnvironment())

test('what a launch option switches on can be switched off, until the next start', async () => {
  const log = newLog()
  const features = open(log, METRICS)
  expect(features.isOn('metrics')).toBe(true)
  await features.change({ metrics: false })
  expect(features.isOn('metrics')).toBe(false)
  // The same once more: what is stored is as before.
  await features.change({ metrics: false })
  expect(features.isOn('metrics')).toBe(false)
  expect(open(log).isOn('metrics')).toBe(false)
  expect(open(log, METRICS).isOn('metrics')).toBe(true)
})

test('a change stores what launch options switched on', async () => {
  const log = newLog()
  const features = open(log, METRICS)
  expect(await features.change({ network: true })).toMatchObject({ metrics: true, network: true })
  expect(open(log).current).toMatchObject({ metrics: true, network: true })
})

test('changes at the same time do not undo each other', async () => {
  const log = newLog()
  const features = open(log, METRICS)
  await Promise.all([features.change({ network: true }), features.change({ multimodal: true, metrics: false })])
  expect(features.current).toMatchObject({ network: true, multimodal: true, metrics: false })
  expect(open(log).current).toEqual(features.current)
})

test('the default of the old search counts until something is stored', async () => {
  const log = newLog()
  const launch = { ...OFF, legacySearchDefault: true }
  expect(open(log, launch).isOn('legacySearch')).toBe(true)
  await open(log).change({ network: true })
  expect(open(log, launch).isOn('legacySearch')).toBe(false)
})
