// A small number for each of many things, by their place: a byte each, growing as they come; knows nothing of what they mean.

/** Numbers from 0 to 255 by place; one that was never set is 0. */
export interface Marks {
  readonly get: (place: number) => number
  readonly set: (place: number, mark: number) => void
}

export function marksOf(): Marks {
  let bytes = new Uint8Array(4096)
  return {
    get: (place) => bytes[place] ?? 0,
    set: (place, mark) => {
      if (place >= bytes.length) {
        const larger = new Uint8Array(Math.max(place + 1, bytes.length * 2))
        larger.set(bytes)
        bytes = larger
      }
      bytes[place] = mark
    },
  }
}
