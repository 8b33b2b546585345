import { reasonOf } from '@cofre/jobs'
import type { Transaction } from '../model/transaction/transaction.js'

/** What a worker does with the transactions that it has claimed. */
export interface RoundWork {
  readonly work: (transaction: Transaction) => Promise<void>
  /** Logs a failure, unless all failed. What it throws ends the round. */
  readonly logFailure: (transaction: Transaction, error: unknown) => void
}

/** A round has looked for work, and what it found failed. */
export class RoundFailedError extends Error {
  /** @param what - Of the round failed. */
  constructor(what: string, cause: unknown) {
    super(`${what}: ${reasonOf(cause)}`, { cause })
    this.name = 'RoundFailedError'
  }
}

/**
 * Does claimed work, all at once.
 * @throws RoundFailedError when all failed: what they need is down, and their job backs off
 */
export async function doRound(
  claimed: readonly Transaction[],
  { work, logFailure }: RoundWork,
): Promise<void> {
  const results = await Promise.allSettled(claimed.map(work))
  const failures = results.flatMap((result, i) => {
    const transaction = claimed[i]
    return result.status === 'rejected' && transaction !== undefined
      ? [{ transaction, error: result.reason as unknown }]
      : []
  })
  const [first] = failures
  if (first === undefined) return
  if (failures.length === claimed.length) {
    const what = `nothing of a round succeeded; transaction ${first.transaction.code}`
    throw new RoundFailedError(what, first.error)
  }
  for (const { transaction, error } of failures) logFailure(transaction, error)
}
