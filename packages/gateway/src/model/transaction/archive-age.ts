import { DAY_MS } from '@cofre/contracts'

/**
 * How long after all that happened to it a transaction may be archived, at the soonest: nobody can
 * refund or dispute it then, and the vault has forgotten what its acquirer calls it.
 */
export const ARCHIVED_AFTER_DAYS = 720
export const ARCHIVED_AFTER_MS: number = ARCHIVED_AFTER_DAYS * DAY_MS
