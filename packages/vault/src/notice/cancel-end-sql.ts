import { insertCancel } from '../authorization/card-cancel-sql.js'
import type { VaultConnection } from '../database/vault-database.js'
import type { ChargeKey } from '../authorization/card-charge.js'
import type { CancelEnd } from './event-effect.js'

/**
 * Ends a cancel on its acquirer's report: the one by the payment's name, and the one by our key.
 */
export async function endCancel(
  trx: VaultConnection,
  { key, accountId }: CancelledCharge,
  { end, paymentId, nowMs }: EndedCancel,
): Promise<void> {
  const { environment, transactionCode } = key
  const open = await trx
    .selectFrom('card_cancels')
    .select('payment_id')
    .where((of) => of.and({ environment, transaction_code: Number(transactionCode) }))
    .where('payment_id', 'in', ['', paymentId ?? ''])
    .where('ended_at_ms', 'is', null)
    .execute()
  for (const { payment_id } of open) {
    const hasFailed = payment_id !== '' && end !== 'done'
    await trx
      .updateTable('card_cancels')
      .set({
        state: hasFailed ? 'refused' : 'done',
        // The answer to the request may still be on its way: it no longer changes this.
        lease_until_ms: 0,
        ended_at_ms: hasFailed ? null : nowMs,
        ...(hasFailed && { detail: 'the acquirer could not cancel it' }),
      })
      .where((of) => of.and({ environment, transaction_code: Number(transactionCode), payment_id }))
      .execute()
  }
  const isByName = open.some(({ payment_id }) => payment_id === paymentId)
  if (typeof end === 'object' && !isByName)
    await insertCancel(
      trx,
      { environment, transactionCode, paymentId: end.byName },
      { accountId, nowMs },
    )
}

interface CancelledCharge {
  readonly key: ChargeKey
  readonly accountId: string
}

interface EndedCancel {
  readonly end: CancelEnd
  /** The acquirer's name for it; undefined if it found none. */
  readonly paymentId: string | undefined
  readonly nowMs: number
}
