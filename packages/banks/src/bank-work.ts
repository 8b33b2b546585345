import { SECOND_MS } from '@cofre/contracts'
import { type DueWork, inLanes } from '@cofre/work'
import type { BankParts } from './bank-parts.js'
import { refundSurpluses } from './payment/bank-refund-service.js'
import { sweepAccounts } from './payment/bank-sweep-service.js'
import { readCharges } from './payment/charge-read-service.js'

/** Each round queries the database, even if nothing is due: work that can wait polls less often. */
const NORMAL_INTERVAL_MS = SECOND_MS

/** A worker's jobs for accounts with banks. */
export function workAtBanks(deps: BankParts): readonly DueWork[] {
  if (deps.bankOf === undefined) return []
  return [
    inLanes({ name: 'charges at banks', run: (lanes) => readCharges(deps, lanes) }),
    inLanes({
      name: 'lists of banks',
      run: (lanes, { signal }) => sweepAccounts(deps, signal, lanes),
    }),
    inLanes({
      name: 'surpluses',
      everyMs: NORMAL_INTERVAL_MS,
      run: (lanes) => refundSurpluses(deps, lanes),
    }),
  ]
}
