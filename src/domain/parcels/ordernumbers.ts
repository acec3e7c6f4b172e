// The number of an order as its customer knows it.

/** How a record may write an order's number: filters compare exactly, and people leave the `#` out. */
export function orderSpellings(order: string): readonly string[] {
  const bare = order.replace(/^#/, '')
  return [bare, `#${bare}`]
}
