import type { Environment } from './environment.js'

/** A value that is in memory for asking and on disk for the next start. */
export class WrittenValue<T> {
  constructor(
    private readonly environment: Environment,
    private value: T,
  ) {}

  get current(): T {
    return this.value
  }

  /** `write` puts the new value into the store; when that fails, the old one is back. */
  async replace(value: T, write: () => void): Promise<void> {
    const before = this.value
    // In memory first: a change that comes while this one is being written must build on it.
    this.value = value
    try {
      await this.environment.write(write)
    } catch (error) {
      if (this.value === value) this.value = before
      throw error
    }
  }
}
