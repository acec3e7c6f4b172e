// The number of an order as its customer knows it.

/** How a record may spell a number that people write with #: as typed, then with or without the sign. */
export const orderSpellings = (order: string): readonly [typed: string, other: string] => [
  order,
  order.startsWith('#') ? order.slice(1) : `#${order}`,
]

/** The spellings that can name a record: a lone # and nothing name none. */
export const spellings = (reference: string): readonly string[] =>
  orderSpellings(reference).filter((one) => !/^#?$/.test(one))
