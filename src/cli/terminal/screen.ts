// The width of standard output, and the paint for its text.

/** The colours of a cell: the basic ones and bold; identity functions when colour is off. */
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

/** The screen that people read: its width in columns, colours and characters, their time zone, and the current time. */
export interface Screen {
  readonly width: number
  readonly paint: Paint
  /** Only ASCII can be shown. */
  readonly ascii: boolean
  readonly tz: string
  /** Now, in ms UTC. */
  readonly now: number
  /** Customers' data is shown in full. */
  readonly pii: boolean
  readonly tty: boolean
  /** shipx may place the cursor: terminals disagree on the width of characters beyond ASCII. */
  readonly placing?: boolean
  /** Every column is shown in full (`--wide`). */
  readonly wide?: boolean
}
