// What joins the commit of an intent. The core inserts an intent with a list of parts, and knows
// none of them.
import type { Condition, Statement } from '@cofre/sql'
import type { IntentConflict, Transaction } from '../model/transaction/transaction.js'

/**
 * Something that is written or that must be true when an intent is committed. All parts of an
 * intent are committed with it, in one round trip, or their guards keep it out.
 */
export interface IntentPart {
  /** Statements before the keys of the intent are taken. They run also where it is refused. */
  readonly before?: (intent: Transaction) => readonly Statement[]
  /** What must be true, in the statement that takes the keys, or the intent is not inserted. */
  readonly guard?: (intent: Transaction) => Condition
  /**
   * Statements after the insertion. They run also where the intent was refused: what they write of
   * it, they write only where a transaction of its code and public id exists.
   */
  readonly after?: (intent: Transaction) => readonly Statement[]
  /** Why the guard kept the intent out; undefined where it did not, or would not any more. */
  readonly refusal?: (intent: Transaction) => Promise<IntentConflict | undefined>
  /** A refusal of the request is reported before a used reference, one of the purchase after it. */
  readonly isOfRequest?: true
  /** Asked beside the commit: see InsertedIntent. */
  readonly refusedBins?: (intent: Transaction) => readonly string[] | Promise<readonly string[]>
}

/**
 * Statements that remove what came with an intent, before the intent is deleted. The core has
 * locked it; each statement writes only where it may be withdrawn.
 */
export type IntentRemoval = (intent: Transaction) => readonly Statement[]
