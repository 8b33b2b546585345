import { reasonOf } from '@cofre/jobs'
import type { Transaction } from '../model/transaction/transaction.js'

/** What is done with the transactions that a worker has claimed. */
export interface RoundWork {
  readonly work: (transaction: Transaction) => Promise<void>
  /** Is told of each that failed, unless all did. What it throws ends the round. */
  readonly tell: (transaction: Transaction, error: unknown) => void
}

/** Nothing of a round succeeded, for which work was found. */
export class RoundFailedError extends Error {
  constructor({ code }: Transaction, cause: unknown) {
    super(`nothing of a round succeeded; transaction ${code}: ${reasonOf(cause)}`, { cause })
    this.name = 'RoundFailedError'
  }
}

/**
 * Does claimed work, all at once.
 * @throws RoundFailedError, of the first, when all failed: then what they need is away, and their job is to be tried more rarely
 */
export async function doRound(
  claimed: readonly Transaction[],
  { work, tell }: RoundWork,
): Promise<void> {
  const failures: { readonly transaction: Transaction; readonly error: unknown }[] = []
  await Promise.all(
    claimed.map(async (transaction) => {
      try {
        await work(transaction)
      } catch (error) {
        failures.push({ transaction, error })
      }
    }),
  )
  const [first] = failures
  if (first === undefined) return
  if (failures.length === claimed.length) throw new RoundFailedError(first.transaction, first.error)
  for (const { transaction, error } of failures) tell(transaction, error)
}
