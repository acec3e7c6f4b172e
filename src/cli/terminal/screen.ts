// How wide standard output is, and how text is painted on it.

/** The colours a cell may have: the basic ones and bold; identity functions where colour is off. */
export interface Paint {
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
  readonly red: (text: string) => string
  readonly green: (text: string) => string
  readonly yellow: (text: string) => string
  readonly blue: (text: string) => string
  readonly cyan: (text: string) => string
  readonly magenta: (text: string) => string
}

/** The place that people read: its width in columns, its colours and letters, their time zone, and the time it is. */
export interface Screen {
  readonly width: number
  readonly paint: Paint
  /** Only ASCII can be shown. */
  readonly ascii: boolean
  readonly tz: string
  /** Now, in ms UTC. */
  readonly now: number
  /** Customers' data is shown whole. */
  readonly pii: boolean
  readonly tty: boolean
  /** The cursor can be placed: terminals do not agree on how wide letters beyond ASCII are. */
  readonly placing?: boolean
  /** Every column is shown, and whole (`--wide`). */
  readonly wide?: boolean
}
