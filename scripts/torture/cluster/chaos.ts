import { existsSync } from 'node:fs'
import { canMountDisk } from '../disk.js'
import { canCutNetworks } from './network.js'
import type { Machine, Roles, Site } from './site.js'

/** What is done once. The seed decides on all of it. */
export interface Plan {
  readonly kind: string
  /** Which machine. */
  readonly target: number
  /** How long it lasts. */
  readonly holdMs: number
  /** How many milliseconds of calm come before. */
  readonly calmMs: number
  /** The next one does not wait until everybody is ready. */
  readonly isHasty: boolean
  /** For kinds that have two forms. */
  readonly isOther: boolean
}

/** Does it; answers what it hit, as figures are kept by that. Whatever lasts is ended by `Site.repair`. */
type Strike = (blow: Target) => Promise<string>

interface Target {
  readonly site: Site
  readonly plan: Plan
  readonly roles: Roles
  readonly machine: Machine
}

interface Kind {
  readonly strike: Strike
  /** In milliseconds. */
  readonly hold: readonly [least: number, most: number]
  readonly weight: number
  /** Undefined where it can be done; otherwise what is missing. */
  readonly missing?: string | undefined
}

const FAKETIME = [
  process.env.FINDLING_LIBFAKETIME ?? '',
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1',
].find((path) => path !== '' && existsSync(path))

const KILL_HOLD = [0, 3_000] as const
const CUT_HOLD = [2_000, 15_000] as const
const NO_NAMESPACES = canCutNetworks ? undefined : 'only root can make network namespaces'

export const kinds: Readonly<Record<string, Kind>> = {
  findling: { strike: killFindling, hold: KILL_HOLD, weight: 6 },
  nats: { strike: killNats, hold: KILL_HOLD, weight: 6 },
  machine: { strike: killMachine, hold: KILL_HOLD, weight: 6 },
  all: { strike: killAll, hold: [0, 1_000], weight: 2 },
  stop: { strike: stopSome, hold: [500, 8_000], weight: 3 },
  restart: { strike: rollingRestart, hold: [0, 0], weight: 1 },
  majority: { strike: loseMajority, hold: [33_000, 33_000], weight: 0.2 },
  disk: {
    strike: fillDisk,
    hold: [2_000, 8_000],
    weight: 1,
    missing: canMountDisk ? undefined : 'only root can mount a small disk',
  },
  clock: {
    strike: shiftClock,
    hold: [0, 500],
    weight: 1,
    missing: FAKETIME === undefined ? 'there is no libfaketime (FINDLING_LIBFAKETIME names it)' : undefined,
  },
  cut: { strike: cutOff, hold: CUT_HOLD, weight: 3, missing: NO_NAMESPACES },
  'cut-one-way': { strike: cutOneWay, hold: CUT_HOLD, weight: 3, missing: NO_NAMESPACES },
}

const HASTY = 0.2
const CALM_MS = [300, 2_500] as const
const MACHINES = 3

/** Draws what comes next. The same number of values is drawn whatever it is, so that a seed repeats a run. */
export function drawPlan(random: () => number, names: readonly string[]): Plan {
  const kind = drawKind(random(), names)
  const between = ([least, most]: readonly [number, number]) => least + random() * (most - least)
  return {
    kind,
    target: Math.floor(random() * MACHINES),
    holdMs: Math.round(between(kinds[kind]!.hold)),
    calmMs: Math.round(between(CALM_MS)),
    isHasty: random() < HASTY,
    isOther: random() < 0.5,
  }
}

function drawKind(value: number, names: readonly string[]): string {
  let left = value * names.reduce((sum, name) => sum + kinds[name]!.weight, 0)
  return names.find((name) => (left -= kinds[name]!.weight) < 0) ?? names[0]!
}

export async function strike(site: Site, plan: Plan, roles: Roles): Promise<string> {
  return kinds[plan.kind]!.strike({ site, plan, roles, machine: site.machines[plan.target]! })
}

async function killFindling({ roles: { coordinator }, machine: { findling } }: Target): Promise<string> {
  await findling.signal('SIGKILL')
  return `Findling killed${roleOf(coordinator, findling.name, 'coordinator')}`
}

async function killNats({ roles: { leader }, machine: { nats } }: Target): Promise<string> {
  await nats.signal('SIGKILL')
  return `nats-server killed${roleOf(leader, nats.name, 'leader')}`
}

async function killMachine({ roles: { leader }, machine: { nats, findling } }: Target): Promise<string> {
  await Promise.all([nats.signal('SIGKILL'), findling.signal('SIGKILL')])
  return `machine killed${roleOf(leader, nats.name, 'leader')}`
}

const roleOf = (holder: string | undefined, name: string, role: string): string => {
  if (holder === undefined) return ''
  return holder === name ? ` (${role})` : ' (follower)'
}

async function killAll({ site }: Target): Promise<string> {
  await site.stop('SIGKILL')
  return 'all killed'
}

async function stopSome({ plan: { isOther }, roles, machine: { nats, findling } }: Target): Promise<string> {
  const { leader, coordinator } = roles
  const stopped = isOther ? nats : findling
  await stopped.signal('SIGSTOP')
  return isOther
    ? `nats-server stands still${roleOf(leader, nats.name, 'leader')}`
    : `Findling stands still${roleOf(coordinator, findling.name, 'coordinator')}`
}

/** One machine after the other, each when the one before is back, as operators do it. */
async function rollingRestart({ site }: Target): Promise<string> {
  for (const { nats, findling, env } of site.machines) {
    await findling.signal('SIGTERM')
    await nats.signal('SIGTERM')
    await nats.start()
    await nats.ready()
    await findling.start(env)
    await findling.ready()
  }
  return 'rolling restart'
}

async function loseMajority({ site, plan: { target } }: Target): Promise<string> {
  const lost = site.machines.filter((_, machine) => machine !== target)
  await Promise.all(lost.map(({ nats }) => nats.signal('SIGKILL')))
  return 'majority lost'
}

async function fillDisk({ site }: Target): Promise<string> {
  site.fillDisk()
  return 'disk full'
}

/** From now on its clock is an hour ahead or behind. Go programs ask the kernel themselves: nats-servers keep theirs. */
async function shiftClock({ plan: { isOther }, machine }: Target): Promise<string> {
  machine.env = {
    LD_PRELOAD: FAKETIME!,
    FAKETIME: isOther ? '+3600' : '-3600',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
  await machine.findling.signal('SIGKILL')
  return 'clock shifted'
}

async function cutOff({ site, plan: { target }, roles: { leader }, machine: { nats } }: Target): Promise<string> {
  for (const other of othersOf(site, target)) {
    site.network!.cut(target, other)
    site.network!.cut(other, target)
  }
  return `cut off${roleOf(leader, nats.name, 'leader')}`
}

async function cutOneWay({ site, plan, roles: { leader }, machine: { nats } }: Target): Promise<string> {
  const { target, isOther } = plan
  for (const other of othersOf(site, target)) {
    if (isOther) site.network!.cut(target, other)
    else site.network!.cut(other, target)
  }
  return `${isOther ? 'not heard' : 'does not hear'}${roleOf(leader, nats.name, 'leader')}`
}

const othersOf = ({ machines }: Site, target: number): number[] => [...machines.keys()].filter((i) => i !== target)
