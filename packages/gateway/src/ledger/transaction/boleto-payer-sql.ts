import { BOLETO_PAYMENT } from '../../model/payment-rail/payment-kinds.js'
import { boletoOf } from '../../model/transaction/payment-details.js'
import { storedTransaction } from '../database/gateway-tables.js'
import type { ErasesPayer } from './erases-payer.js'

/** Erases the payer of a boleto. The place of the money stays recorded, as for cards and PIX. */
export const eraseBoletoPayers: ErasesPayer = async (trx, codes) => {
  const rows = await trx
    .selectFrom('transactions')
    .select(storedTransaction.columns)
    .where('code', 'in', codes)
    .where('payment_type', '=', BOLETO_PAYMENT.type)
    .execute()
  for (const transaction of rows.map(storedTransaction.read)) {
    const boleto = boletoOf(transaction)
    if (boleto === undefined) continue
    const emptied = {
      payerName: '',
      barcode: undefined,
      digitableLine: undefined,
      pixCode: undefined,
    }
    const isAtBank = boleto.accountId !== undefined
    const paymentDetails = isAtBank ? { ...boleto, ...emptied } : undefined
    await trx
      .updateTable('transactions')
      .set(storedTransaction.partOf({ paymentDetails }))
      .where('code', '=', transaction.code)
      .execute()
  }
}
