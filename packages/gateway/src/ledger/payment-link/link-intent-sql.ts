// What the commit of an intent does to the try that it is of: it is inserted only for a try that is
// open and has none, and is noted there.
import { type Connection, type Statement, prepare } from '@cofre/sql'
import type { Transaction } from '../../model/transaction/transaction.js'
import type { GatewayTables } from '../database/gateway-tables.js'

type Db = Connection<GatewayTables>

/** Which try an intent is of. */
export interface TryOfIntent {
  readonly try_id: string
}

/** Whoever ends the try waits, or has ended it. */
export const lockTry = prepare((db: Db, { try_id }: TryOfIntent) =>
  db.selectFrom('payment_link_tries').select('id').where('id', '=', try_id).forUpdate(),
)

/** Finds the try if an intent may be inserted for it. */
export function askableTry(db: Db, { try_id }: TryOfIntent) {
  return db
    .selectFrom('payment_link_tries')
    .select('id')
    .where('id', '=', try_id)
    .where('open', '=', 1)
    .where('transaction_code', 'is', null)
}

const findAskable = prepare((db: Db, of: TryOfIntent) => askableTry(db, of))

/** Whether an intent may still be inserted for a try. */
export async function isAskable(db: Db, of: TryOfIntent): Promise<boolean> {
  return (await db.run(findAskable(of))).rows.length > 0
}

interface NotedIntent extends TryOfIntent {
  readonly code: number
  readonly public_id: string
}

const noteIfInserted = prepare((db: Db, { try_id, code, public_id }: NotedIntent) =>
  db
    .updateTable('payment_link_tries')
    .set((set) => ({ transaction_code: set.val(code) }))
    .where('id', '=', try_id)
    .where((of) =>
      of.exists(
        of
          .selectFrom('transactions')
          .select('code')
          .where('code', '=', code)
          // The code alone may be another's.
          .where('public_id', '=', public_id),
      ),
    ),
)

/** A statement that follows the insertion of an intent. */
export function noteInTry({ code, publicId }: Transaction, tryId: string): Statement {
  return noteIfInserted({ try_id: tryId, code, public_id: publicId })
}
