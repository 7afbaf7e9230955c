/** The part of the package that is used; it has no types of its own. */
declare module 'fs-native-extensions' {
  /** Locks bytes of an open file for itself, until it is closed. Answers false when somebody else has locked some of them. */
  export function tryLock(descriptor: number, offset: number, length: number): boolean
}
