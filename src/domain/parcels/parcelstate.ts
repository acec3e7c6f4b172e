// The part of a parcel's record that a courier's events change.

/** A milestone and a scan in the form that records have them; times are ISO 8601. */
export interface MilestoneEntry {
  readonly milestone: string
  readonly milestone_at?: string | null | undefined
}
export interface Scan {
  readonly id?: string | null | undefined
  readonly status?: string | null | undefined
  readonly last_location?: string | null | undefined
  readonly event_date_time?: string | null | undefined
  readonly description?: string | null | undefined
}

/** The part of a record that events change, in the record's own form. */
export interface ParcelState {
  /** The detailed status. */
  readonly granular: string | null
  readonly attempts: number
  readonly ndr_reason: string | null
  readonly rto_reason: string | null
  readonly qc: string | null
  readonly milestones: readonly MilestoneEntry[]
  readonly scans: readonly Scan[]
}
