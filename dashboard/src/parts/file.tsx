import { useRef } from 'preact/hooks'
import { Button } from './button.js'
import { sayFailed } from './toasts.js'

/** Gives a person something as a file. */
export function downloadJson(name: string, value: unknown): void {
  const address = URL.createObjectURL(new Blob([`${JSON.stringify(value, null, 2)}\n`], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // Browsers read it after the click.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}

/** Takes a file of JSON from a person. What is in it is still to be checked. */
export function JsonFileButton({ label, onValue }: { label: string; onValue(value: unknown): void }) {
  const input = useRef<HTMLInputElement>(null)
  const read = async (file: File | undefined) => {
    if (file === undefined) return
    try {
      onValue(JSON.parse(await file.text()))
    } catch (error) {
      sayFailed(error)
    }
    // The same file may be chosen again.
    input.current!.value = ''
  }
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        accept="application/json,.json"
        aria-label={label}
        onChange={(event) => void read(event.currentTarget.files?.[0])}
      />
      <Button icon="upload" onClick={() => input.current!.click()}>
        {label}
      </Button>
    </>
  )
}
