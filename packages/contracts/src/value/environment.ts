/** Production and sandbox: two instances of one gateway, with separate data. */
export const ENVIRONMENTS = ['production', 'sandbox'] as const
export type Environment = (typeof ENVIRONMENTS)[number]
