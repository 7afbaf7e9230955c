/** All values of one metric at one moment. */
export interface Family {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly samples: readonly Sample[]
}

export interface Sample {
  /** What the name of a part of a histogram ends with. */
  readonly suffix?: '_bucket' | '_sum' | '_count'
  readonly labels: Readonly<Record<string, string | number>>
  readonly value: number
}

/** A metric without labels. */
export function gauge(name: string, help: string, value: number): Family {
  return { name, help, type: 'gauge', samples: [{ labels: {}, value }] }
}

/** One value for each entry of a map, the key of which becomes the value of a label. */
export function samplesBy(
  label: string,
  values: ReadonlyMap<string, number>,
  labels: Sample['labels'] = {},
): readonly Sample[] {
  return [...values].map(([name, value]) => ({ labels: { ...labels, [label]: name }, value }))
}
