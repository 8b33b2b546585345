import type { Transaction } from '../model/transaction/transaction.js'
import type { TransactionStore } from './ports.js'

/**
 * Withdraws an intent that was never charged. If a search or another process has let it stand
 * meanwhile, returns its present transaction; undefined otherwise.
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
