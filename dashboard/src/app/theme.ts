import { effect, signal } from '@preact/signals'

export type Theme = 'system' | 'light' | 'dark'

const NAME = 'findling-theme'
const THEMES: readonly Theme[] = ['system', 'light', 'dark']

const kept = localStorage.getItem(NAME) as Theme | null

export const theme = signal<Theme>(kept !== null && THEMES.includes(kept) ? kept : 'system')

const darkSystem = matchMedia('(prefers-color-scheme: dark)')
const isSystemDark = signal(darkSystem.matches)
darkSystem.addEventListener('change', ({ matches }) => void (isSystemDark.value = matches))

/** Here, so that colours stand in the style sheet once. */
effect(() => {
  const ofSystem = isSystemDark.value ? 'dark' : 'light'
  document.documentElement.dataset.theme = theme.value === 'system' ? ofSystem : theme.value
  localStorage.setItem(NAME, theme.value)
})

export function nextTheme(): void {
  theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length]!
}
