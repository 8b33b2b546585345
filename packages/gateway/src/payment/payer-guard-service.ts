import { ApiError, type Clock, type Environment } from '@cofre/contracts'
import type { Merchant } from '../model/merchant/merchant.js'
import { type DeclineLimit, declineLimitsOf } from '../model/purchase/decline-limits.js'
import type { DeclineLedger, PayerBlocks } from './ports.js'

/** A payer who saves a card without a payment. */
export interface GuardedPayer {
  readonly document: string
  readonly email: string
  readonly ip: string
}

/** The limits of card payments, for cards that are checked without one. */
export interface PayerGuard {
  /**
   * Admits a payer, unless the payer is blocked or had too many cards declined. Resolves to the
   * BINs whose cards must be refused.
   * @throws ApiError payer_blacklisted, payer_blacklisted_by_psp
   */
  admit(merchant: Merchant, payer: GuardedPayer): Promise<readonly string[]>
  /** The error for a card of such a BIN. */
  binRefusal(merchant: Merchant): ApiError
  /** Counts a declined card, once for each code of a check. */
  countDecline(
    merchant: Merchant,
    payer: GuardedPayer,
    check: { readonly code: number; readonly bin: string; readonly atMs: number },
  ): Promise<void>
}

export interface PayerGuardDeps {
  readonly environment: Environment
  readonly clock: Clock
  readonly declines: DeclineLedger
  readonly payerBlock: PayerBlocks
  readonly reportLimit: (refused: { readonly merchantId: string }, limit: DeclineLimit) => void
}

export function createPayerGuard(deps: PayerGuardDeps): PayerGuard {
  const { clock, declines, environment, payerBlock, reportLimit } = deps
  const counted = ({ id }: Merchant, { document, ip }: GuardedPayer) => ({
    merchantId: id,
    document,
    ip,
    atMs: clock.now(),
  })
  const limited = (merchant: Merchant, limit: DeclineLimit): ApiError => {
    reportLimit({ merchantId: merchant.id }, limit)
    return new ApiError('payer_blacklisted')
  }
  return {
    async admit(merchant, payer) {
      const block = await payerBlock({ merchantId: merchant.id, ...payer })
      if (block === 'payer_blocked_by_provider') throw new ApiError('payer_blacklisted_by_psp')
      if (block !== undefined) throw new ApiError('payer_blacklisted')
      const limits = declineLimitsOf(merchant, environment)
      const reached = await declines.reachedLimit(counted(merchant, payer), limits)
      if (reached !== undefined) throw limited(merchant, reached)
      return await declines.testedBins(counted(merchant, payer), limits.bin)
    },
    binRefusal: (merchant) => limited(merchant, 'bin'),
    countDecline: (merchant, payer, { atMs, ...check }) =>
      declines.count({ ...counted(merchant, payer), atMs }, check),
  }
}
