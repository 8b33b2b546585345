import type { GatewayDeps } from '../model/gateway-deps.js'
import type { Refund } from '../model/refund/refund.js'

const REFUNDS_AT_ONCE = 20

/** Asks for refunds that are PROCESSING and commits their outcome. Unknown ones are retried. */
export async function processRefunds(deps: GatewayDeps): Promise<void> {
  const claim = { machineNowMs: deps.machineClock.now(), limit: REFUNDS_AT_ONCE }
  const refunds = await deps.refunds.claimProcessing(claim)
  await Promise.all(refunds.map((refund) => processRefund(deps, refund)))
}

async function processRefund(deps: GatewayDeps, refund: Refund): Promise<void> {
  const { id, transactionCode, merchantId, amountMinor, reference } = refund
  const { rails, refunds, clock, log } = deps
  let failure = 'a refund was not answered'
  try {
    const outcome = await rails.refund({
      refundId: String(id),
      transactionCode: String(transactionCode),
      merchantId,
      amountMinor,
      reference,
    })
    failure = 'a refund could not be finished'
    if (outcome !== 'unknown') await refunds.finish(id, outcome, clock.now())
  } catch (error) {
    log.error({ refund: id, error }, failure)
  }
}
