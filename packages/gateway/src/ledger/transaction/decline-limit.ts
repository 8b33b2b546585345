// Declines of the last hour. A row is only added, and nothing is locked for it: the declines of
// many shoppers are committed together.
import {
  type Connection,
  type Database,
  type Statement,
  oncePerTurn,
  prepare,
  prepareCondition,
} from '@cofre/sql'
import { forget } from '@cofre/work'
import { type RawBuilder, type SqlBool, expressionBuilder, sql } from 'kysely'
import type { IntentPart } from '../../method/intent-part.js'
import {
  type DeclineLimit,
  type DeclineLimits,
  countedAddress,
  declinesSinceMs,
} from '../../model/purchase/decline-limits.js'
import { storedRequest } from '../../model/transaction/stored-request.js'
import type { MethodAnswer, Transaction } from '../../model/transaction/transaction.js'
import type { CardDeclineRow } from '../database/card-tables.js'
import type { GatewayTables } from '../database/gateway-tables.js'

type Db = Connection<GatewayTables>

/** Decline limits, as parameters of the intent's INSERT. */
interface DeclineBounds {
  readonly store: string
  readonly declined_after: number
  readonly declined_document: string
  /** Null if the shop sends none. */
  readonly declined_address: string | null
  /** Null without a limit. */
  readonly payer_declines_max: number | null
  readonly address_declines_max: number | null
}

function declineBoundsOf(intent: Transaction, limits: DeclineLimits): DeclineBounds {
  return {
    store: intent.merchantId,
    declined_after: declinesSinceMs(intent.createdAtMs),
    declined_document: intent.payerDocument,
    declined_address: addressOf(intent),
    payer_declines_max: limits.payer ?? null,
    address_declines_max: limits.address ?? null,
  }
}

/** Parses the request only if it may have an address: most shops send none. */
function addressOf(transaction: Transaction): string | null {
  if (!transaction.requestJson.includes('"ip":')) return null
  const { payer } = storedRequest(transaction)
  return payer?.ip === undefined ? null : countedAddress(payer.ip)
}

const of = expressionBuilder<GatewayTables>()

type Subject = 'payer_document' | 'address'

function declinesOf(bounds: DeclineBounds, column: Subject, subject: string | null) {
  return of
    .selectFrom('card_declines')
    .select((row) => row.fn.countAll<number>().as('declines'))
    .where('merchant_id', '=', bounds.store)
    .where(sql<SqlBool>`${sql.ref(column)} = cast(${subject} as text)`)
    .where('declined_at', '>', bounds.declined_after)
}

/** Counts declines only if they are limited. */
function fits(bounds: DeclineBounds, column: Subject): RawBuilder<SqlBool> {
  const isPayer = column === 'payer_document'
  const max = isPayer ? bounds.payer_declines_max : bounds.address_declines_max
  const subject = isPayer ? bounds.declined_document : bounds.declined_address
  const limit = sql<number>`cast(${max} as bigint)`
  return sql<SqlBool>`case when ${limit} is null then true
    else ${declinesOf(bounds, column, subject)} < ${limit} end`
}

/** True if payer and address have fewer declines than the store's limits. */
const mayTry = prepareCondition((_: Db, bounds: DeclineBounds) =>
  of.and([fits(bounds, 'payer_document'), fits(bounds, 'address')]),
)

const findReached = prepare((db: Db, bounds: DeclineBounds) =>
  db.selectNoFrom([
    fits(bounds, 'payer_document').as('payer'),
    fits(bounds, 'address').as('address'),
  ]),
)

/** The limit that a purchase has reached; undefined if none any more. */
async function reachedLimit(
  trx: Db,
  bounds: DeclineBounds,
): Promise<Exclude<DeclineLimit, 'bin'> | undefined> {
  const [found] = (await trx.run(findReached(bounds))).rows
  if (!found?.payer) return 'payer'
  return found.address ? undefined : 'address'
}

/**
 * Only the store's latest `limit × 20` declines are read; a BIN rarer than 1 in 20 is not under
 * attack.
 */
const DECLINES_PER_LIMIT = 20

interface BinBounds {
  readonly store: string
  readonly declined_after: number
  readonly bin_declines_max: number
  readonly looked_at: number
}

const selectTestedBins = prepare((db: Db, bounds: BinBounds) =>
  db
    .selectFrom((from) =>
      from
        .selectFrom('card_declines')
        .select('bin')
        .where('merchant_id', '=', bounds.store)
        .where('declined_at', '>', bounds.declined_after)
        .orderBy('declined_at', 'desc')
        .limit(bounds.looked_at)
        .as('latest'),
    )
    .select('bin')
    .groupBy('bin')
    .having((row) => row.fn.countAll<number>(), '>=', bounds.bin_declines_max),
)

/**
 * BINs of a store with too many declines: queried beside a purchase, not in it. Purchases of one
 * turn share the answer.
 */
function createTestedBins(reader: Db) {
  const ask = async (bounds: BinBounds): Promise<readonly string[]> => {
    const { rows } = await reader.run(selectTestedBins(bounds))
    return rows.flatMap(({ bin }) => bin ?? [])
  }
  const find = oncePerTurn(ask, ({ store, bin_declines_max: max }) => `${max} ${store}`)
  return (
    { merchantId, createdAtMs }: Pick<Transaction, 'merchantId' | 'createdAtMs'>,
    max: number | undefined,
  ) =>
    max === undefined
      ? []
      : find({
          store: merchantId,
          declined_after: declinesSinceMs(createdAtMs),
          bin_declines_max: max,
          looked_at: max * DECLINES_PER_LIMIT,
        })
}

/** Creates the parts that refuse intents whose payers had too many declined cards. */
export function createDeclineParts(reader: Db) {
  const testedBins = createTestedBins(reader)
  return (limits: DeclineLimits): IntentPart => ({
    guard: (intent) => mayTry(declineBoundsOf(intent, limits)),
    async refusal(intent) {
      const reached = await reachedLimit(reader, declineBoundsOf(intent, limits))
      return reached && `declined_${reached}`
    },
    refusedBins: (intent) => testedBins(intent, limits.bin),
  })
}

const insertOnce = prepare((db: Db, row: Omit<CardDeclineRow, 'link_id'>) =>
  db
    .insertInto('card_declines')
    .values((values) => ({
      ...row,
      link_id: values
        .selectFrom('payment_link_tries')
        .select('link_id')
        .where('payment_link_tries.transaction_code', '=', row.transaction_code)
        .limit(1),
    }))
    .onConflict((conflicting) => conflicting.doNothing()),
)

/** Testers of cards change the digits after these; a BIN may have two more. */
const COUNTED_DIGITS = 6

/** Records once that a transaction's card was declined. */
export function countDecline(
  intent: Transaction,
  { atMs, cardBin }: Pick<MethodAnswer, 'atMs' | 'cardBin'>,
): Statement {
  return insertOnce({
    transaction_code: intent.code,
    merchant_id: intent.merchantId,
    declined_at: atMs,
    payer_document: intent.payerDocument,
    address: addressOf(intent),
    bin: cardBin?.slice(0, COUNTED_DIGITS) ?? null,
  })
}

/** Deletes declines that no longer count, in batches. */
export async function forgetDeclines(
  database: Database<GatewayTables>,
  nowMs: number,
): Promise<void> {
  await forget(database, {
    table: 'card_declines',
    key: ['transaction_code'],
    where: (of) => of('declined_at', '<=', declinesSinceMs(nowMs)),
  })
}

/** A payer whose card is checked without a payment. */
export interface CheckedPayer {
  readonly merchantId: string
  readonly document: string
  readonly ip: string
  readonly atMs: number
}

/** The same limits for a card that is checked without a payment. */
export interface DeclineLedger {
  reachedLimit(
    payer: CheckedPayer,
    limits: DeclineLimits,
  ): Promise<Exclude<DeclineLimit, 'bin'> | undefined>
  testedBins(payer: CheckedPayer, max: number | undefined): Promise<readonly string[]>
  /** @param check - Its code, and the first digits of its card. A decline counts once. */
  count(payer: CheckedPayer, check: { readonly code: number; readonly bin: string }): Promise<void>
}

export function createSqlDeclineLedger(database: Database<GatewayTables>): DeclineLedger {
  const testedBins = createTestedBins(database.reader)
  return {
    reachedLimit: ({ merchantId, document, ip, atMs }, limits) =>
      reachedLimit(database.reader, {
        store: merchantId,
        declined_after: declinesSinceMs(atMs),
        declined_document: document,
        declined_address: countedAddress(ip),
        payer_declines_max: limits.payer ?? null,
        address_declines_max: limits.address ?? null,
      }),
    testedBins: async ({ merchantId, atMs }, max) =>
      await testedBins({ merchantId, createdAtMs: atMs }, max),
    async count({ merchantId, document, ip, atMs }, { code, bin }) {
      const row = {
        transaction_code: code,
        merchant_id: merchantId,
        declined_at: atMs,
        payer_document: document,
        address: countedAddress(ip),
        bin: bin.slice(0, COUNTED_DIGITS),
      }
      await database.commit({ counted: insertOnce(row) })
    },
  }
}
