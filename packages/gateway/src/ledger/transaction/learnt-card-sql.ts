import type { Connection } from '@cofre/sql'
import type { LearntCard, TransactionCode } from '../../model/transaction/transaction.js'
import { type GatewayTables, storedTransaction } from '../database/gateway-tables.js'
import { paymentChanged } from './payment-changed.js'

/**
 * Known facts of a transaction's card stay; the latest report on its charge replaces the others.
 */
export async function noteCard(
  trx: Connection<GatewayTables>,
  code: TransactionCode,
  learnt: LearntCard,
): Promise<void> {
  const card = storedTransaction.partOf(learnt)
  await trx
    .updateTable('transactions')
    .set((set) => ({
      sub_type: set.fn.coalesce('sub_type', set.val(card.sub_type)),
      saved_card: set.fn.coalesce('saved_card', set.val(card.saved_card)),
      card_bin: set.fn.coalesce('card_bin', set.val(card.card_bin)),
      card_last_four: set.fn.coalesce('card_last_four', set.val(card.card_last_four)),
      payment_details: set.fn.coalesce(set.val(card.payment_details), 'payment_details'),
    }))
    .where('code', '=', code)
    .execute()
  // Perhaps no notification follows.
  await paymentChanged(trx, { code, isFoundAnyway: false })
}
