// Remembers what a run saved before its own work, so that a user who cancels it learns what stays. Saves nothing
// itself.
import type { Io } from '../terminal/io.ts'

/** Something that stays saved, and the command that removes it. */
export interface Kept {
  readonly what: string
  readonly undo: string
}

const saved = new WeakMap<Io, readonly Kept[]>()

/** Remembers that something was saved. */
export const keep = (io: Io, kept: Kept): void => void saved.set(io, [...keptBy(io), kept])

/** Everything that the run has saved so far. */
export const keptBy = (io: Io): readonly Kept[] => saved.get(io) ?? []
