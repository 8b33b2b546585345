import type { Clock, Log } from '@cofre/contracts'
import type { PaymentRails } from '../model/payment-rail/payment-rails.js'
import type { Refund } from '../model/refund/refund.js'
import type { RefundStore } from '../model/refund/refund-store.js'

export interface RefundProcessingDeps {
  readonly refunds: RefundStore
  readonly rails: PaymentRails
  readonly clock: Clock
  /** The machine's own time, for leases. */
  readonly machineClock: Clock
  readonly log: Log
}

const REFUNDS_AT_ONCE = 20

/** Asks for refunds that are PROCESSING and commits what became of them. An unknown outcome is asked for again later. */
export async function processRefunds(deps: RefundProcessingDeps): Promise<void> {
  const claim = { machineNowMs: deps.machineClock.now(), limit: REFUNDS_AT_ONCE }
  const refunds = await deps.refunds.claimProcessing(claim)
  await Promise.all(refunds.map((refund) => processRefund(deps, refund)))
}

async function processRefund(deps: RefundProcessingDeps, refund: Refund): Promise<void> {
  const outcome = await askForRefund(deps, refund)
  if (outcome === 'unknown') return
  try {
    await deps.refunds.finish(refund.id, outcome, deps.clock.now())
  } catch (error) {
    deps.log.error({ refund: refund.id, error }, 'a refund could not be finished')
  }
}

async function askForRefund(
  { rails, log }: RefundProcessingDeps,
  refund: Refund,
): ReturnType<PaymentRails['refund']> {
  try {
    return await rails.refund({
      refundId: String(refund.id),
      transactionCode: String(refund.transactionCode),
      merchantId: refund.merchantId,
      amountMinor: refund.amountMinor,
      reference: refund.reference,
    })
  } catch (error) {
    log.error({ refund: refund.id, error }, 'a refund was not answered')
    return 'unknown'
  }
}
