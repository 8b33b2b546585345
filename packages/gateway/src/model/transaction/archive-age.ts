import { DAY_MS } from '@cofre/contracts'

/**
 * The minimum time after all events of a transaction before it may be archived. By then it can no
 * longer be refunded or disputed, and the vault has forgotten its acquirer's name for it.
 */
export const ARCHIVED_AFTER_DAYS = 720
export const ARCHIVED_AFTER_MS: number = ARCHIVED_AFTER_DAYS * DAY_MS
