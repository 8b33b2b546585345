// Ends authorized payments, in units of work that have locked their transaction.
import { type MinorUnits, minorUnits } from '@cofre/contracts'
import type { Connection } from '@cofre/sql'
import type { CaptureOrder } from '../../model/card/capture-order.js'
import { amountShare } from '../../model/card/charged-share.js'
import { type CaptureOutcome, type Release, isAuthorized } from '../../model/transaction/capture.js'
import { type Transaction, hasBeenPaid } from '../../model/transaction/transaction.js'
import type { GatewayTables } from '../database/gateway-tables.js'
import { changeStatus } from '../transaction/status-change.js'
import { deleteCapture, findOrder } from './capture-row-sql.js'

type Db = Connection<GatewayTables>

/** The end of an authorized payment, as the vault reports it. */
export type CaptureEnd =
  | { readonly to: 'captured'; readonly chargedMinor: MinorUnits; readonly atMs: number }
  | { readonly to: 'released'; readonly by: Release; readonly atMs: number }

/** The result of a report about an authorized payment. */
export interface CaptureEffect {
  /** False if the payment has ended otherwise: then nothing changes. */
  readonly isFit: boolean
  /** Undefined if nothing has changed. */
  readonly outcome: CaptureOutcome | undefined
}

export async function endAuthorized(
  trx: Db,
  transaction: Transaction,
  end: CaptureEnd,
): Promise<CaptureEffect> {
  const { capture, code } = transaction
  if (!isAuthorized(transaction) || capture === undefined)
    return { isFit: isEndedSo(transaction, end), outcome: undefined }
  const order = await findOrder(trx, code)
  const ended = await changeStatus(trx, code, {
    to: end.to === 'captured' ? 'COMPLETE' : 'CANCELLED',
    atMs: end.atMs,
    capture:
      end.to === 'captured'
        ? { ...capture, state: 'captured', ...capturedOf(transaction, end, order) }
        : { ...capture, state: 'released', releasedBy: end.by },
  })
  if (ended === undefined) return { isFit: false, outcome: undefined }
  await deleteCapture(trx, code)
  return { isFit: true, outcome: outcomeOf(end, order) }
}

function outcomeOf(end: CaptureEnd, order: CaptureOrder | undefined): CaptureOutcome {
  if (end.to === 'captured') return 'captured'
  return end.by === 'void' && order?.orderedBy === 'rule' ? 'rule' : end.by
}

function isEndedSo(transaction: Transaction, end: CaptureEnd): boolean {
  const { capture } = transaction
  if (end.to === 'released') return capture?.state === 'released'
  if (capture === undefined) return hasBeenPaid(transaction)
  return capture.state === 'captured' && capture.chargedMinor === end.chargedMinor
}

/** A capture that people made at the acquirer has only its part of the charge. */
function capturedOf(
  transaction: Transaction,
  { chargedMinor }: Extract<CaptureEnd, { to: 'captured' }>,
  order: CaptureOrder | undefined,
) {
  const isOrdered = order?.operation === 'capture' && order.chargedMinor === chargedMinor
  const share = isOrdered
    ? order.amountMinor
    : amountShare(chargedMinor, { transaction, refunds: [] })
  // Less than half a cent of the amount is still a capture.
  return { chargedMinor, amountMinor: minorUnits(Math.max(1, share)) }
}
