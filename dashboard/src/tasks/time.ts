/** Seconds of a duration as tasks have it: `P1DT3601.500S`, days and seconds only. */
export function secondsOf(duration: string | null): number | undefined {
  const parts = /^P(?:(\d+)D)?(?:T([\d.]+)S)?$/.exec(duration ?? '')
  return parts === null ? undefined : Number(parts[1] ?? 0) * 86_400 + Number(parts[2] ?? 0)
}
