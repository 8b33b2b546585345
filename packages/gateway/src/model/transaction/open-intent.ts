import { MINUTE_MS } from '@cofre/contracts'

/**
 * How long a request may take to be answered before a worker asks after its intent; longer than any
 * time-out on the way.
 */
export const OPEN_INTENT_PATIENCE_MS: number = 2 * MINUTE_MS
