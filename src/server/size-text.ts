const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB']

/** `9.77 KiB`: the largest unit not above the value, at most two decimals (spec 1 §5.4). */
export function sizeText(bytes: number): string {
  let unit = 0
  while (unit < UNITS.length - 1 && bytes >= 1024 ** (unit + 1)) unit++
  return `${Number((bytes / 1024 ** unit).toFixed(2))} ${UNITS[unit]}`
}
