import type { ErrorDefinition } from './error-definition.js'

/** Section 7.2 of the specification. */
export const lookupErrors = {
  bin_missing: { code: 30301, status: 400 },
  bin_invalid: { code: 30302, status: 400 },
  brand_missing: { code: 30303, status: 400 },
  brand_invalid: { code: 30304, status: 400 },
  country_missing: { code: 30305, status: 400 },
  country_invalid: { code: 30306, status: 400 },
  amount_missing: { code: 30307, status: 400 },
  amount_invalid: { code: 30308, status: 400 },
  currency_missing: { code: 30309, status: 400 },
  currency_invalid: { code: 30310, status: 400 },
} as const satisfies Record<string, ErrorDefinition>
