/** A value that may have to be waited for. Searches by words alone never do: a promise costs more than some of them. */
export type Waitable<T> = T | Promise<T>

/** Goes on at once where nothing has to be waited for. */
export function andThen<T, U>(value: Waitable<T>, next: (value: T) => Waitable<U>): Waitable<U> {
  return value instanceof Promise ? value.then(next) : next(value)
}
