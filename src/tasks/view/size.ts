const UNITS: readonly (readonly [name: string, bytes: number])[] = ['E', 'P', 'T', 'G', 'M', 'K'].flatMap(
  (letter, i) => [[`${letter}iB`, 1024 ** (6 - i)] as const, [`${letter}B`, 1000 ** (6 - i)] as const],
)

/** The largest unit not above the value, shortest decimal: `24 MiB`, `1.048575 MB` (spec 2 §1.5). */
export function sizeText(bytes: number): string {
  const unit = UNITS.find(([, size]) => size <= bytes)
  return unit === undefined ? `${bytes} B` : `${bytes / unit[1]} ${unit[0]}`
}
