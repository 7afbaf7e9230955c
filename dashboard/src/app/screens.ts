import type { ComponentType } from 'preact'
import type { IconName } from '../parts/icon.js'
import type { Ability } from '../server/overview.js'
import type { Texts } from '../texts/index.js'

export interface ScreenProps {
  /** Of a screen that is about one index. */
  readonly index: string
}

export interface Screen {
  readonly name: keyof Texts['screens']
  readonly icon: IconName
  /** It shows one index, whose name is in the address. */
  readonly isOfIndex: boolean
  /** It has something to show where there is no index yet. */
  readonly makesIndexes?: boolean
  /** Shown to those whose key allows one of these. */
  readonly needs: readonly Ability[]
  /** Loaded when it is first opened. */
  load(): Promise<{ default: ComponentType<ScreenProps> }>
}

export const screens: readonly Screen[] = [
  {
    name: 'search',
    icon: 'search',
    isOfIndex: true,
    needs: ['search'],
    load: () => import('../search/search-screen.js'),
  },
  {
    name: 'documents',
    icon: 'documents',
    isOfIndex: true,
    makesIndexes: true,
    needs: ['documents'],
    load: () => import('../documents/documents-screen.js'),
  },
  {
    name: 'tasks',
    icon: 'tasks',
    isOfIndex: false,
    needs: ['tasks'],
    load: () => import('../tasks/tasks-screen.js'),
  },
]
