// Parts of an intent's commit. The core inserts an intent with a list of parts, and knows none of
// them.
import type { Condition, Statement } from '@cofre/sql'
import type { IntentConflict, Transaction } from '../model/transaction/transaction.js'

/**
 * A write or a condition of an intent's commit. All parts of an intent are committed with it, in
 * one round trip, or their guards refuse it.
 */
export interface IntentPart {
  /** Statements before the keys of the intent are taken. They also run if it is refused. */
  readonly before?: (intent: Transaction) => readonly Statement[]
  /** A condition of the statement that takes the keys; if it is false, nothing is inserted. */
  readonly guard?: (intent: Transaction) => Condition
  /**
   * Statements after the insertion. They also run if the intent was refused: they must write only
   * if a transaction with its code and public id exists.
   */
  readonly after?: (intent: Transaction) => readonly Statement[]
  /** Why the guard refused the intent; undefined if it did not, or would not any more. */
  readonly refusal?: (intent: Transaction) => Promise<IntentConflict | undefined>
  /** A refusal of the request is reported before a used reference, one of the purchase after it. */
  readonly isOfRequest?: true
  /** Called beside the commit: see InsertedIntent. */
  readonly refusedBins?: (intent: Transaction) => readonly string[] | Promise<readonly string[]>
}

/**
 * Statements that remove the parts of an intent before the intent is deleted. The core has locked
 * it; each statement writes only if it may be withdrawn.
 */
export type IntentRemoval = (intent: Transaction) => readonly Statement[]
