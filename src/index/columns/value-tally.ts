/**
 * In how many documents each value of a column is, by ordinal. Made once and used again and again: what it holds stands
 * until the next count.
 */
export class ValueTally {
  /** By ordinal. Zero for those that were not found. */
  counts = new Uint32Array(0)
  /** By ordinal, of those that were found: the first document with it. */
  firstDocIds = new Uint32Array(0)
  /** The ordinals of the numbers and of the texts that were found, as many as the counts below say, in any order. */
  numbers = new Uint32Array(0)
  texts = new Uint32Array(0)
  numberCount = 0
  textCount = 0

  get foundNumbers(): Uint32Array {
    return this.numbers.subarray(0, this.numberCount)
  }

  get foundTexts(): Uint32Array {
    return this.texts.subarray(0, this.textCount)
  }

  /** Takes note of a value that was not found before. */
  find(ordinal: number, docId: number, isText: boolean): void {
    this.firstDocIds[ordinal] = docId
    if (isText) this.texts[this.textCount++] = ordinal
    else this.numbers[this.numberCount++] = ordinal
  }

  clear(): void {
    const { counts, numbers, texts, numberCount, textCount } = this
    for (let i = 0; i < numberCount; i++) counts[numbers[i]!] = 0
    for (let i = 0; i < textCount; i++) counts[texts[i]!] = 0
    this.numberCount = 0
    this.textCount = 0
  }

  /** Makes room for ordinals below `size`. */
  reserve(size: number): void {
    if (size <= this.counts.length) return
    const room = Math.max(size, 2 * this.counts.length)
    this.counts = grown(this.counts, room)
    this.firstDocIds = grown(this.firstDocIds, room)
    this.numbers = grown(this.numbers, room)
    this.texts = grown(this.texts, room)
  }
}

function grown(array: Uint32Array, size: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(size)
  larger.set(array)
  return larger
}
