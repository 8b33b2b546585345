import type { RuleInForce } from '@cofre/accounts'

/** Rules of card brands that hold at every acquirer. */
export const BRAND_RULES: readonly RuleInForce[] = []
