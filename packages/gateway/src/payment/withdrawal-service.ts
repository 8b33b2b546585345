import type { Transaction } from '../model/transaction/transaction.js'
import type { TransactionStore } from './ports.js'

/**
 * Withdraws an intent of which nothing was charged. The transaction as it is, where that may not
 * be: a search or another process has let it stand meanwhile.
 */
export async function withdraw(
  {
    transactions,
  }: { readonly transactions: Pick<TransactionStore, 'findByCode' | 'withdrawIntent'> },
  intent: Transaction,
): Promise<Transaction | undefined> {
  if (await transactions.withdrawIntent(intent)) return undefined
  return await transactions.findByCode(intent.code)
}
