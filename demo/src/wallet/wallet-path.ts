import type { Order } from '../order/order.js'

/** The page that takes a payer to the wallet. */
export function walletPath({ reference }: Pick<Order, 'reference'>): string {
  return `/wallet/${reference}`
}

/** Where a wallet sends the payer back to. */
export function walletReturnUrls(
  { origin }: { readonly origin: string },
  reference: string,
): { readonly success: string; readonly fail: string } {
  const back = `${origin}${walletPath({ reference })}`
  return { success: `${back}/success`, fail: `${back}/fail` }
}
