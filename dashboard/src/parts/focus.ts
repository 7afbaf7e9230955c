/** To the beginning of the screen, where what had the focus is about to go away. */
export function focusMain(): void {
  // Behind the drawing that takes it away.
  setTimeout(() => document.getElementById('main')?.focus({ preventScroll: true }))
}
