import type { Environment, Log } from '@cofre/contracts'
import type { DeclineLimit } from '../model/purchase/decline-limits.js'
import type { Transaction } from '../model/transaction/transaction.js'

/** Reports that earlier declines block a card payment: cards may be being tested. */
export type ReportLimit = (refused: Pick<Transaction, 'merchantId'>, limit: DeclineLimit) => void

interface LimitReportDeps {
  readonly environment: Environment
  readonly log: Log
  readonly declineLimitReached?: ((limit: DeclineLimit) => void) | undefined
}

export function createLimitReport({
  declineLimitReached,
  environment,
  log,
}: LimitReportDeps): ReportLimit {
  return ({ merchantId }, limit) => {
    declineLimitReached?.(limit)
    const fields = { environment, store: merchantId, limit }
    log.warn(fields, 'a card payment was refused: too many cards were declined before it')
  }
}
