// Ends authorized payments, in units of work that have locked their transaction.
import { type MinorUnits, minorUnits } from '@cofre/contracts'
import type { Connection } from '@cofre/sql'
import { amountShare } from '../../model/card/charged-share.js'
import { type Release, isAuthorized } from '../../model/transaction/capture.js'
import { type Transaction, hasBeenPaid } from '../../model/transaction/transaction.js'
import type { GatewayTables } from '../database/gateway-tables.js'
import { changeStatus } from '../transaction/status-change.js'
import { deleteCapture, findOrder } from './capture-row-sql.js'

type Db = Connection<GatewayTables>

/** The end of an authorized payment, as the vault reports it. */
export type CaptureEnd =
  | { readonly to: 'captured'; readonly chargedMinor: MinorUnits; readonly atMs: number }
  | { readonly to: 'released'; readonly by: Release; readonly atMs: number }

/** False if the payment has ended otherwise: then nothing changes. */
export async function endAuthorized(
  trx: Db,
  transaction: Transaction,
  end: CaptureEnd,
): Promise<boolean> {
  if (!isAuthorized(transaction)) return isEndedSo(transaction, end)
  const { capture, code } = transaction
  if (capture === undefined) return false
  const ended = await changeStatus(trx, code, {
    to: end.to === 'captured' ? 'COMPLETE' : 'CANCELLED',
    atMs: end.atMs,
    capture:
      end.to === 'captured'
        ? { ...capture, state: 'captured', ...(await capturedOf(trx, transaction, end)) }
        : { ...capture, state: 'released', releasedBy: end.by },
  })
  if (ended === undefined) return false
  await deleteCapture(trx, code)
  return true
}

function isEndedSo(transaction: Transaction, end: CaptureEnd): boolean {
  const { capture } = transaction
  if (end.to === 'released') return capture?.state === 'released'
  if (capture === undefined) return hasBeenPaid(transaction)
  return capture.state === 'captured' && capture.chargedMinor === end.chargedMinor
}

/** A capture that people made at the acquirer has only its part of the charge. */
async function capturedOf(
  trx: Db,
  transaction: Transaction,
  { chargedMinor }: Extract<CaptureEnd, { to: 'captured' }>,
) {
  const order = await findOrder(trx, transaction.code)
  const isOrdered = order?.operation === 'capture' && order.chargedMinor === chargedMinor
  const share = isOrdered
    ? order.amountMinor
    : amountShare(chargedMinor, { transaction, refunds: [] })
  // Less than half a cent of the amount is still a capture.
  return { chargedMinor, amountMinor: minorUnits(Math.max(1, share)) }
}
