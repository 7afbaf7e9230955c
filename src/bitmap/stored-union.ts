import { Bitmap } from './bitmap.js'

/** The union of stored sets, of which there may be as many as documents: no more than so many are held at a time. */
export class StoredUnion {
  private sets: Bitmap[] = []

  constructor(private readonly maxHeld: number) {}

  /** `bytes` is a serialized set; it is decoded at once. */
  add(bytes: Uint8Array): void {
    this.sets.push(Bitmap.deserialize(bytes))
    if (this.sets.length === this.maxHeld) this.sets = [Bitmap.orMany(this.sets)]
  }

  docIds(): Bitmap {
    return Bitmap.orMany(this.sets)
  }
}
