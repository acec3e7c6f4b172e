// Labels that wait to be drawn: their number must be known before the first one is. Many wait in a temporary file.
import { readSync } from 'node:fs'
import type { Label } from '../../domain/labels/label.ts'
import type { Context } from '../command/context.ts'
import { openTempFile, type TempFile } from '../files/tempfile.ts'

/** Labels in the order in which they came. */
export interface LabelSpool {
  readonly add: (labels: readonly Label[]) => void
  readonly count: () => number
  /** The label at a place. */
  readonly at: (place: number) => Label
  readonly close: () => void
}

/** Characters of labels that wait in memory. */
const mostHeld = 1_000_000

/** Opens a spool. `add` throws `output_failed`. */
export function labelSpool(context: Pick<Context, 'io'>): LabelSpool {
  let texts: string[] = []
  let held = 0
  let file: TempFile | undefined
  /** Where each label of the file begins, and its end. */
  const places: number[] = [0]
  const spill = (): void => {
    file ??= openTempFile(context)
    const parts = texts.map((text) => Buffer.from(text))
    for (const part of parts) places.push(places.at(-1)! + part.length)
    file.append(Buffer.concat(parts))
    ;[texts, held] = [[], 0]
  }
  return {
    add: (labels) => {
      for (const label of labels) {
        const text = JSON.stringify(label)
        texts.push(text)
        held += text.length
      }
      if (held > mostHeld || file !== undefined) spill()
    },
    count: () => places.length - 1 + texts.length,
    at: (place) => {
      const spilled = places.length - 1
      if (place >= spilled) return JSON.parse(texts[place - spilled]!) as Label
      const bytes = Buffer.allocUnsafe(places[place + 1]! - places[place]!)
      readSync(file!.descriptor, bytes, 0, bytes.length, places[place]!)
      return JSON.parse(bytes.toString()) as Label
    },
    close: () => file?.close(),
  }
}
