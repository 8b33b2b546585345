/** How payments that wait for the payer or the bank are settled. */
export type SettlementMode =
  | { readonly kind: 'at-once' }
  | { readonly kind: 'after'; readonly seconds: number }
  | { readonly kind: 'by-hand' }

/** What has a mode of its own. The default is `by-hand`, for refunds `at-once`. */
export const SETTLED_METHODS = ['boleto', 'pix', 'e-wallet', 'refund'] as const
export type SettledMethod = (typeof SETTLED_METHODS)[number]
export type SettlementModes = Readonly<Record<SettledMethod, SettlementMode>>
