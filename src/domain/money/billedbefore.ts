// What bills before say of a parcel that a later bill has too.

/** What earlier documents billed of a parcel, credits aside, since all of it was credited last. */
export interface BilledBefore {
  /** Paise before GST. */
  readonly bare: number
  /** The components that are in it, as bits (`componentBit` in stilldue.ts). */
  readonly components: number
}
