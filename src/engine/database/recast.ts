// Columns that 0.1 filled with words and weights as they came, for filters that look for those of shipx.

const words = ['status', 'granular_status', 'zone'] as const

/** They differ from what is made of the same text today. Weights in kilograms were taken for grams. */
export const recastColumns = { shipment: [...words, 'applied_weight'], return: words } as const
