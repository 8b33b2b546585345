/** What a round of due work returns that found nothing to do. */
export const NOTHING_DUE: unique symbol = Symbol('nothing due')
