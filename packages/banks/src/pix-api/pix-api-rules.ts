import type { RuleInForce } from '@cofre/accounts'

/** Rules of the central bank's API Pix. */
export const PIX_API_RULES: readonly RuleInForce[] = []
