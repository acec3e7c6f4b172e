// What output needs to know about its reader: width, colours, characters, time zone, time. Types only.

/**
 * Functions that colour a text, or make it bold or dim. They return the text unchanged when colour is off.
 */
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

/** The screen that people read. */
export interface Screen {
  /** Columns. */
  readonly width: number
  readonly paint: Paint
  /** Only ASCII can be shown. */
  readonly ascii: boolean
  /** IANA name, for example Asia/Kolkata. */
  readonly tz: string
  /** When this screen was made, ms UTC. */
  readonly now: number
  /** Customers' data is shown in full. */
  readonly pii: boolean
  /** Lay out for a terminal: stdout is one, or SHIPX_FORCE_TTY is set. */
  readonly tty: boolean
  /**
   * Whether shipx may move the cursor. Terminals disagree on the width of characters beyond ASCII, so tables need it.
   */
  readonly placing: boolean
  /** Tables have no header (`--no-header`). */
  readonly headless?: boolean
  /** Every column is shown in full (`--wide`). */
  readonly wide: boolean
}
