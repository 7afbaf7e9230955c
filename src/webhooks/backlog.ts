import type { Parcel } from './parcel.js'

export interface BacklogLimits {
  readonly maxParcels: number
  readonly maxBytes: number
}

/**
 * Parcels not yet delivered to everybody, oldest first. Bounded: the oldest ones give way to the newest. They are those
 * that only the slowest receivers have not got yet, so the others lose nothing.
 */
export class Backlog {
  private readonly parcels = new Set<Parcel>()
  private sizeBytes = 0

  constructor(private readonly limits: BacklogLimits) {}

  get size(): number {
    return this.parcels.size
  }

  has(parcel: Parcel): boolean {
    return this.parcels.has(parcel)
  }

  /** Takes a parcel in and gives back those that had to go for it. Parcels on their way are never given up. */
  add(parcel: Parcel): Parcel[] {
    const dropped: Parcel[] = []
    for (const older of this.parcels) {
      if (this.hasRoomFor(parcel)) break
      if (!older.isSending) dropped.push(this.remove(older))
    }
    this.parcels.add(parcel)
    this.sizeBytes += parcel.sizeBytes
    return dropped
  }

  remove(parcel: Parcel): Parcel {
    if (this.parcels.delete(parcel)) this.sizeBytes -= parcel.sizeBytes
    return parcel
  }

  private hasRoomFor(parcel: Parcel): boolean {
    const { maxParcels, maxBytes } = this.limits
    return this.parcels.size < maxParcels && this.sizeBytes + parcel.sizeBytes <= maxBytes
  }
}
