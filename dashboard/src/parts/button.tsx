import type { ButtonHTMLAttributes, ComponentChildren } from 'preact'
import { Icon, type IconName } from './icon.js'

type Native = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'icon'>

export interface ButtonProps extends Native {
  readonly kind?: 'plain' | 'primary' | 'danger' | 'quiet'
  readonly icon?: IconName
  /** It is being done, and cannot be asked for again meanwhile. */
  readonly isBusy?: boolean
  readonly children?: ComponentChildren
}

export function Button({ kind = 'plain', icon, isBusy = false, children, class: name, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      class={`button ${kind} ${name ?? ''}`}
      disabled={rest.disabled === true || isBusy}
      aria-busy={isBusy}
    >
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  )
}

/** A button without words; `label` is what it is called. */
export function IconButton({ label, icon, ...rest }: Native & { label: string; icon: IconName }) {
  return (
    <button type="button" {...rest} class={`icon-button ${rest.class ?? ''}`} aria-label={label} title={label}>
      <Icon name={icon} />
    </button>
  )
}
