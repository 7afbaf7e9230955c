import { useState } from 'preact/hooks'
import { DEFAULTS, type SettingName, type Settings } from './model.js'

/** Changes that are not saved yet. */
export interface Draft {
  readonly settings: Settings
  /** Texts that are no JSON, by setting, and why. They cannot be saved. */
  readonly broken: ReadonlyMap<SettingName, string>
  /** Grows when the form shows something that was not typed into it. */
  readonly turn: number
  change<N extends SettingName>(name: N, value: Settings[N]): void
  setBroken(name: SettingName, why: string): void
  undo(name: SettingName): void
  reset(name: SettingName): void
  /** Some from elsewhere, such as a file. */
  take(settings: Partial<Settings>): void
  undoAll(): void
}

interface State {
  readonly edits: Partial<Settings>
  readonly broken: ReadonlyMap<SettingName, string>
  readonly turn: number
}

const NOTHING: State = { edits: {}, broken: new Map(), turn: 0 }

export function useDraft(saved: Settings): Draft {
  const [{ edits, broken, turn }, setState] = useState(NOTHING)
  const put = (changes: Partial<Settings>, isTyped: boolean) =>
    setState((before) => ({
      edits: { ...before.edits, ...changes },
      broken: without(before.broken, Object.keys(changes) as SettingName[]),
      turn: before.turn + (isTyped ? 0 : 1),
    }))
  return {
    settings: { ...saved, ...edits },
    broken,
    turn,
    change: (name, value) => put({ [name]: value }, true),
    setBroken: (name, why) => setState((before) => ({ ...before, broken: new Map([...before.broken, [name, why]]) })),
    undo: (name) => put({ [name]: saved[name] }, false),
    reset: (name) => put({ [name]: DEFAULTS[name] }, false),
    take: (settings) => put(settings, false),
    undoAll: () => setState((before) => ({ ...NOTHING, turn: before.turn + 1 })),
  }
}

const without = (map: ReadonlyMap<SettingName, string>, names: readonly SettingName[]) =>
  new Map([...map].filter(([name]) => !names.includes(name)))
