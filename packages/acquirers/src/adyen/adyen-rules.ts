import type { RuleInForce } from '@cofre/accounts'

/** Rules of Adyen's own. */
export const ADYEN_RULES: readonly RuleInForce[] = []
