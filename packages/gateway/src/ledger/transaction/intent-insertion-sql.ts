import { type Connection, type Database, prepare, prepareGuarded, valuesOf } from '@cofre/sql'
import type { IntentPart } from '../../method/intent-part.js'
import type {
  InsertedIntent,
  IntentConflict,
  Transaction,
} from '../../model/transaction/transaction.js'
import {
  type GatewayTables,
  type TransactionKeyRow,
  type TransactionRow,
  storedTransaction,
} from '../database/gateway-tables.js'
import { numbered } from '../database/numbered-statements.js'

type Db = Connection<GatewayTables>

/**
 * Takes the keys of a purchase that all its parts allow. A taken key is no error, which would undo
 * the whole unit of work on PostgreSQL.
 */
const takeKeys = prepareGuarded((db: Db, row: TransactionKeyRow, guard) =>
  db
    .insertInto('transaction_keys')
    .columns(['transaction_code', 'merchant_id', 'reference', 'public_id'])
    .expression(
      db
        .selectNoFrom((of) => [
          of.val(row.transaction_code).as('transaction_code'),
          of.val(row.merchant_id).as('merchant_id'),
          of.val(row.reference).as('reference'),
          of.val(row.public_id).as('public_id'),
        ])
        .where(guard),
    )
    .onConflict((conflicting) => conflicting.doNothing()),
)

/** Inserts a transaction if the previous statement has taken its keys. */
const insertIfKeysTaken = prepare((db: Db, row: TransactionRow) =>
  db
    .insertInto('transactions')
    .columns(storedTransaction.columns)
    .expression(
      db
        .selectFrom('transaction_keys')
        .select(valuesOf(row, storedTransaction.columns))
        .where('transaction_code', '=', row.code)
        // An earlier transaction may have the same code.
        .where('transaction_keys.public_id', '=', row.public_id),
    ),
)

/**
 * Commits a transaction with its parts, unless a conflict prevents it. Exactly one of the
 * concurrent intents with a reference is inserted.
 */
export async function insertIntent(
  database: Database<GatewayTables>,
  intent: Transaction,
  parts: readonly IntentPart[],
): Promise<InsertedIntent | IntentConflict> {
  const [isInserted, ...refusedBins] = await Promise.all([
    insertIfAllowed(database, intent, parts),
    ...parts.map((part) => part.refusedBins?.(intent) ?? []),
  ])
  if (isInserted) return { refusedBins: refusedBins.flat() }
  const ofRequest = await refusalOf(
    parts.filter(({ isOfRequest }) => isOfRequest),
    intent,
  )
  if (ofRequest !== undefined) return ofRequest
  // A repeated request is reported as such, regardless of its payer's later purchases.
  if (await isReferenceUsed(database.reader, intent)) return 'reference_used'
  const ofPurchase = parts.filter(({ isOfRequest }) => isOfRequest === undefined)
  return (await refusalOf(ofPurchase, intent)) ?? 'code_taken'
}

/** False if a conflict prevents it. */
async function insertIfAllowed(
  database: Database<GatewayTables>,
  intent: Transaction,
  parts: readonly IntentPart[],
): Promise<boolean> {
  const row = storedTransaction.rowOf(intent)
  const guards = parts.flatMap(({ guard }) => guard?.(intent) ?? [])
  const { inserted } = await database.commit({
    ...numbered(
      'before',
      parts.flatMap(({ before }) => before?.(intent) ?? []),
    ),
    taken: takeKeys(keysOf(row), guards),
    inserted: insertIfKeysTaken(row),
    ...numbered(
      'after',
      parts.flatMap(({ after }) => after?.(intent) ?? []),
    ),
  })
  return inserted.written === 1
}

function keysOf({ code, merchant_id, reference, public_id }: TransactionRow): TransactionKeyRow {
  return { transaction_code: code, merchant_id, reference, public_id }
}

/** The conflict of the first part that refuses the intent. */
async function refusalOf(
  parts: readonly IntentPart[],
  intent: Transaction,
): Promise<IntentConflict | undefined> {
  for (const { refusal } of parts) {
    const conflict = await refusal?.(intent)
    if (conflict !== undefined) return conflict
  }
  return undefined
}

async function isReferenceUsed(db: Db, { merchantId, reference }: Transaction): Promise<boolean> {
  const used = await db
    .selectFrom('transaction_keys')
    .select('transaction_code')
    .where('merchant_id', '=', merchantId)
    .where('reference', '=', reference)
    .executeTakeFirst()
  return used !== undefined
}
