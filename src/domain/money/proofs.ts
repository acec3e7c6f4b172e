// What a dispute has to show: photographs and papers (docs/guides/disputes.md, Evidence).

/** The sides of the parcel with a tape, the parcel on a scale, its label; the POD and the signed manifest. */
export const proofs = ['length', 'width', 'height', 'scale', 'label', 'pod', 'manifest'] as const
export type Proof = (typeof proofs)[number]
