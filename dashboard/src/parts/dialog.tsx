import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { texts } from '../texts/index.js'
import { Button, IconButton } from './button.js'

export interface DialogProps {
  readonly title: string
  onClose(): void
  readonly children: ComponentChildren
  /** Buttons at its end. */
  readonly actions?: ComponentChildren
  /** From the side and as high as the page, for things that are read. */
  readonly isSheet?: boolean
}

/** The browser's own: it keeps the focus inside, and Escape closes it. */
export function Dialog({ title, onClose, children, actions, isSheet = false }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const before = document.activeElement
    element.current!.showModal()
    // Closing gives the focus back to where it was; where the element is taken away instead, nobody else does.
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={element}
      class={isSheet ? 'sheet' : ''}
      aria-labelledby={id}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === element.current) element.current!.close()
      }}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <div class="dialog-body">
        <header>
          <h2 id={id}>{title}</h2>
          <IconButton label={texts.common.close} icon="close" onClick={() => element.current!.close()} />
        </header>
        <div class="dialog-content">{children}</div>
        {actions !== undefined && <footer>{actions}</footer>}
      </div>
    </dialog>
  )
}

/** Asks before something that cannot be undone. */
export function Confirm({
  title,
  text,
  action,
  onConfirm,
  onClose,
  isBusy = false,
}: {
  title: string
  text: string
  action: string
  onConfirm(): void
  onClose(): void
  isBusy?: boolean
}) {
  const actions = (
    <>
      <Button onClick={onClose}>{texts.common.cancel}</Button>
      <Button kind="danger" isBusy={isBusy} onClick={onConfirm}>
        {action}
      </Button>
    </>
  )
  return (
    <Dialog title={title} onClose={onClose} actions={actions}>
      <p>{text}</p>
    </Dialog>
  )
}
