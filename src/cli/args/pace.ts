// The options of bulk work: how many requests at once, and how many a second.
import { number, perSecond } from './kinds.ts'
import type { OptionsOf } from './options.ts'

/** The flags of the pace of requests to a deployment. */
export const paceOptions = { concurrency: number(4, 64, 1), max_rps: perSecond }

/** Requests under way at once, and at most this many a second; `max_rps` is undefined for no limit. */
export type Pace = OptionsOf<typeof paceOptions>
