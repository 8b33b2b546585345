/** The result of a round of due work that found nothing to do. */
export const NOTHING_DUE: unique symbol = Symbol('nothing due')
