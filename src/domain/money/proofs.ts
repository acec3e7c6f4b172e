// What a dispute has to show: photographs and papers, and which of them a file is by its name (docs/guides/disputes.md,
// Evidence).

/** The sides of the parcel with a tape, the parcel on a scale, its label; the POD and the signed manifest. */
export const proofs = ['length', 'width', 'height', 'scale', 'label', 'pod', 'manifest'] as const
export type Proof = (typeof proofs)[number]

const words: Readonly<Record<string, Proof>> = {
  length: 'length',
  len: 'length',
  width: 'width',
  breadth: 'width',
  height: 'height',
  scale: 'scale',
  weight: 'scale',
  weighing: 'scale',
  label: 'label',
  pod: 'pod',
  manifest: 'manifest',
}

/** What the name of a file says that it shows: `7001-length-label.jpg` shows the length and the label. */
export function proofsInName(name: string): readonly Proof[] {
  const found = new Set(
    name
      .toLowerCase()
      .split(/[^a-z]+/)
      .flatMap((word) => (Object.hasOwn(words, word) ? [words[word]!] : [])),
  )
  return proofs.filter((proof) => found.has(proof))
}

/** The proofs of a kept list, `length,scale`; words that this version does not know are left out. */
export const proofsOf = (text: string): readonly Proof[] => {
  const named = text.split(',')
  return proofs.filter((proof) => named.includes(proof))
}
