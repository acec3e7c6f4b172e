// The names of the attacks of R22, and what one comes to.

/** Every attack. */
export const attacks = ['slow headers', 'slow bodies', 'bodies of 50 MB', 'a million levels', 'bad framing'] as const
export type Attack = (typeof attacks)[number]

/** What an attack came to. */
export interface Attacked {
  /** Connections opened, and those that the service has closed or answered. */
  readonly opened: number
  readonly closed: number
  readonly answers: Readonly<Record<string, number>>
  /** The longest time that the service held a connection of this attack, ms. */
  readonly longest: number
}
