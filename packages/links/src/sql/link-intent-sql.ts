// The part of an intent's commit that concerns its try: the intent is inserted only for an open try
// without one, and is recorded there.
import { type Connection, prepare, prepareCondition } from '@cofre/sql'
import { expressionBuilder } from 'kysely'
import type { IntentPart } from '@cofre/gateway/room'
import type { RoomTables } from './link-tables.js'

type Db = Connection<RoomTables>

/** The try of an intent. */
interface TryOfIntent {
  readonly try_id: string
}

/** Another process that ends the try waits, or has already ended it. */
export const lockTry = prepare((db: Db, { try_id }: TryOfIntent) =>
  db.selectFrom('payment_link_tries').select('id').where('id', '=', try_id).forUpdate(),
)

/** Finds the try if an intent may be inserted for it. */
function payableTry(db: Db, { try_id }: TryOfIntent) {
  return db
    .selectFrom('payment_link_tries')
    .select('id')
    .where('id', '=', try_id)
    .where('open', '=', 1)
    .where('transaction_code', 'is', null)
}

const findPayable = prepare((db: Db, of: TryOfIntent) => payableTry(db, of))

const isPayableTry = prepareCondition((db: Db, of: TryOfIntent) =>
  expressionBuilder<RoomTables>().exists(payableTry(db, of)),
)

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
          // The code alone may be another transaction's.
          .where('public_id', '=', public_id),
      ),
    ),
)

/** Records an intent in its try, which must be open and without an intent. */
export function tryPart(reader: Db, tryId: string): IntentPart {
  const ofTry = { try_id: tryId }
  return {
    before: () => [lockTry(ofTry)],
    guard: () => isPayableTry(ofTry),
    after: ({ code, publicId }) => [noteIfInserted({ ...ofTry, code, public_id: publicId })],
    async refusal() {
      const found = await reader.run(findPayable(ofTry))
      return found.rows.length > 0 ? undefined : 'link_try_ended'
    },
    isOfRequest: true,
  }
}
