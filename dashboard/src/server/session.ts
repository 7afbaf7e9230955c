import { signal } from '@preact/signals'

const NAME = 'findling-key'

/** Null: requests are sent without a key. */
export const apiKey = signal<string | null>(sessionStorage.getItem(NAME) ?? localStorage.getItem(NAME))

/** Goes on with a key, in this tab only unless it is to be kept. */
export function useKey(key: string, keep: boolean): void {
  forgetKey()
  const storage = keep ? localStorage : sessionStorage
  storage.setItem(NAME, key)
  apiKey.value = key
}

export function forgetKey(): void {
  sessionStorage.removeItem(NAME)
  localStorage.removeItem(NAME)
  apiKey.value = null
}
