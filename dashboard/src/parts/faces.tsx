import type { ComponentChildren } from 'preact'
import type { Failure } from '../server/failure.js'
import type { Loading } from '../server/loaded.js'
import { texts } from '../texts/index.js'
import { Button } from './button.js'
import { Icon, type IconName } from './icon.js'

/** Nothing is there yet, and what to do about it. */
export function Empty({ icon, title, children }: { icon: IconName; title: string; children?: ComponentChildren }) {
  return (
    <div class="face">
      <Icon name={icon} />
      <h2>{title}</h2>
      {children}
    </div>
  )
}

export function Failed({ failure, onRetry }: { failure: Failure; onRetry?: () => void }) {
  const { code, message, link } = failure
  return (
    <div class="face failed" role="alert">
      <Icon name="warning" />
      <p>{message}</p>
      <p class="muted">
        <code>{code}</code>
        {link !== undefined && isWebAddress(link) && (
          <>
            {' · '}
            <a href={link} target="_blank" rel="noreferrer noopener">
              {texts.failures.more}
            </a>
          </>
        )}
      </p>
      {onRetry !== undefined && <Button onClick={onRetry}>{texts.common.retry}</Button>}
    </div>
  )
}

export function Waiting() {
  return (
    <div class="face" role="status">
      <span class="spinner" aria-hidden="true" />
      <span class="sr-only">{texts.common.loading}</span>
    </div>
  )
}

/** One of the faces, or what is drawn of the value. What was there before stays while the next comes. */
export function Face<T>({ loading, children }: { loading: Loading<T>; children(value: T): ComponentChildren }) {
  const { loaded, latest, reload } = loading
  if (loaded.state === 'failed') return <Failed failure={loaded.failure} onRetry={reload} />
  const value = loaded.state === 'full' ? loaded.value : latest
  return value === undefined ? <Waiting /> : children(value)
}

/** Links come from servers: only those to pages are followed. */
export const isWebAddress = (text: string): boolean => /^https?:\/\/[^\s]+$/i.test(text)
