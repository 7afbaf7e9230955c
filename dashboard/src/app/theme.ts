import { effect, signal } from '@preact/signals'

export type Theme = 'system' | 'light' | 'dark'

const NAME = 'findling-theme'
const THEMES: readonly Theme[] = ['system', 'light', 'dark']

const kept = localStorage.getItem(NAME) as Theme | null

export const theme = signal<Theme>(kept !== null && THEMES.includes(kept) ? kept : 'system')

effect(() => {
  document.documentElement.dataset.theme = theme.value
  localStorage.setItem(NAME, theme.value)
})

export function nextTheme(): void {
  theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length]!
}
