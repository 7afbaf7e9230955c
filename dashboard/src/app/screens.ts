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
  /** Shown to those whose key allows one of these; to everybody where none is named. */
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
    name: 'settings',
    icon: 'settings',
    isOfIndex: true,
    needs: ['settings'],
    load: () => import('../settings/settings-screen.js'),
  },
  {
    name: 'lab',
    icon: 'lab',
    isOfIndex: true,
    needs: ['search'],
    load: () => import('../lab/lab-screen.js'),
  },
  {
    name: 'vectors',
    icon: 'vectors',
    isOfIndex: true,
    needs: ['settings'],
    load: () => import('../vectors/vectors-screen.js'),
  },
  {
    name: 'tasks',
    icon: 'tasks',
    isOfIndex: false,
    needs: ['tasks'],
    load: () => import('../tasks/tasks-screen.js'),
  },
  {
    name: 'chat',
    icon: 'chat',
    isOfIndex: false,
    needs: ['chats'],
    load: () => import('../chat/chat-screen.js'),
  },
  {
    name: 'keys',
    icon: 'keys',
    isOfIndex: false,
    needs: ['keys', 'webhooks'],
    load: () => import('../keys/keys-screen.js'),
  },
  {
    name: 'server',
    icon: 'server',
    isOfIndex: false,
    needs: ['server'],
    load: () => import('../server-screen/server-screen.js'),
  },
  {
    name: 'interface',
    icon: 'interface',
    isOfIndex: false,
    needs: [],
    load: () => import('../interface/interface-screen.js'),
  },
]
