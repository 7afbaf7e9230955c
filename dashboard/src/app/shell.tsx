import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Button, IconButton } from '../parts/button.js'
import { Failed, Waiting } from '../parts/faces.js'
import { Icon } from '../parts/icon.js'
import { Toasts } from '../parts/toasts.js'
import { failureOf } from '../server/failure.js'
import { access, lookAround, type Overview } from '../server/overview.js'
import { apiKey, forgetKey } from '../server/session.js'
import { texts } from '../texts/index.js'
import { IndexChooser } from './index-chooser.js'
import { NoIndex } from './no-index.js'
import { isPaletteOpen, Palette } from './palette.js'
import { addressOf, place } from './place.js'
import { type Screen, type ScreenProps, screens } from './screens.js'
import { SignIn } from './sign-in.js'
import { nextTheme, theme } from './theme.js'

/** On narrow screens. */
const isMenuOpen = signal(false)

export function Shell() {
  useKeyboard()
  const current = access.value
  switch (current.state) {
    case 'asking':
      return <Waiting />
    case 'locked':
      return <SignIn failure={current.failure} />
    case 'failed':
      return <Failed failure={current.failure} onRetry={() => void lookAround()} />
    case 'open':
      return <Rooms overview={current.overview} />
  }
}

/** `/` goes to the search field wherever one is, Ctrl or Command and K to the palette. */
function useKeyboard(): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const isTyping = (event.target as Element | null)?.matches?.('input, textarea, select, [contenteditable]')
      if (event.key === 'k' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault()
        isPaletteOpen.value = !isPaletteOpen.value
      } else if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey) {
        const field = document.querySelector<HTMLInputElement>('input[type=search]')
        if (field !== null) event.preventDefault()
        field?.focus()
      }
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}

function Rooms({ overview }: { overview: Overview }) {
  const allowed = screens.filter(
    ({ needs }) => needs.length === 0 || needs.some((ability) => overview.may.has(ability)),
  )
  const screen = allowed.find(({ name }) => name === place.value.screen) ?? allowed[0]
  const index = indexOf(screen, overview)
  return (
    <div class={`shell ${isMenuOpen.value ? 'menu-open' : ''}`}>
      <a class="skip" href="#main" onClick={(event) => skipToMain(event)}>
        {texts.shell.skip}
      </a>
      <Sidebar screens={allowed} current={screen} index={index} overview={overview} />
      <main id="main" tabIndex={-1}>
        {screen === undefined ? (
          <p>{texts.shell.nothingAllowed}</p>
        ) : (
          <Opened screen={screen} index={index} overview={overview} />
        )}
      </main>
      <Toasts />
      {isPaletteOpen.value && <Palette screens={allowed} overview={overview} index={index} />}
    </div>
  )
}

/** The last one that was looked at, where the screen is not about one. */
let lastIndex: string | undefined

function indexOf(screen: Screen | undefined, { indexes }: Overview): string {
  const named = screen?.isOfIndex ? place.value.path[0] : lastIndex
  lastIndex = named ?? indexes?.[0]?.uid
  return lastIndex ?? ''
}

function skipToMain(event: Event): void {
  event.preventDefault()
  document.getElementById('main')?.focus()
}

function Sidebar(props: {
  screens: readonly Screen[]
  current: Screen | undefined
  index: string
  overview: Overview
}) {
  const { current, index, overview } = props
  const close = () => void (isMenuOpen.value = false)
  const entry = ({ name, icon, isOfIndex }: Screen) => (
    <li key={name}>
      <a
        href={addressOf(name, isOfIndex && index !== '' ? [index] : [])}
        aria-current={name === current?.name ? 'page' : undefined}
        onClick={close}
      >
        <Icon name={icon} />
        {texts.screens[name]}
      </a>
    </li>
  )
  return (
    <header class="sidebar">
      <div class="brand">
        <a href="#/" onClick={close}>
          Findling
        </a>
        <IconButton
          class="menu-button"
          label={isMenuOpen.value ? texts.common.close : texts.shell.menu}
          icon={isMenuOpen.value ? 'close' : 'menu'}
          aria-expanded={isMenuOpen.value}
          onClick={() => void (isMenuOpen.value = !isMenuOpen.value)}
        />
      </div>
      <div class="sidebar-body">
        <IndexChooser overview={overview} index={index} />
        <nav aria-label={texts.shell.navigation}>
          <ul>{props.screens.filter(({ isOfIndex }) => isOfIndex).map(entry)}</ul>
          <ul>{props.screens.filter(({ isOfIndex }) => !isOfIndex).map(entry)}</ul>
        </nav>
        <SidebarFoot />
      </div>
    </header>
  )
}

function SidebarFoot() {
  const icons = { system: 'half', light: 'sun', dark: 'moon' } as const
  return (
    <div class="sidebar-foot">
      <Button kind="quiet" icon="search" onClick={() => void (isPaletteOpen.value = true)}>
        {texts.palette.open} <kbd>⌘K</kbd>
      </Button>
      <Button kind="quiet" icon={icons[theme.value]} onClick={nextTheme}>
        {texts.shell.theme[theme.value]}
      </Button>
      {apiKey.value !== null && (
        <Button kind="quiet" icon="leave" onClick={forgetKey}>
          {texts.signIn.leave}
        </Button>
      )}
    </div>
  )
}

/** Its code is loaded when it is first opened. */
function Opened({ screen, index, overview }: { screen: Screen; index: string; overview: Overview }) {
  const [loaded, setLoaded] = useState<{ screen: Screen; Component: ComponentType<ScreenProps> } | undefined>()
  const [error, setError] = useState<unknown>()
  useEffect(() => {
    document.title = `${texts.screens[screen.name]} · Findling`
    let isCurrent = true
    screen.load().then(({ default: Component }) => isCurrent && setLoaded({ screen, Component }), setError)
    return () => void (isCurrent = false)
  }, [screen])
  if (error !== undefined) return <Failed failure={failureOf(error)} onRetry={() => location.reload()} />
  if (screen.isOfIndex && index === '' && screen.makesIndexes !== true) return <NoIndex overview={overview} />
  if (loaded?.screen !== screen) return <Waiting />
  const { Component } = loaded
  return <Component key={`${screen.name} ${index}`} index={index} />
}
