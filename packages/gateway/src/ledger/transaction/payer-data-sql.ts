import { DAY_MS, HOUR_MS, type TransactionStatus } from '@cofre/contracts'
import type { Connection, Database } from '@cofre/sql'
import { type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import { periodStartMs } from '../../model/purchase/purchase-rules.js'
import { comparedPayer } from '../../model/transaction/compared-payer.js'
import type { Transaction, TransactionCode } from '../../model/transaction/transaction.js'
import { archived, listEverywhere } from '../database/archive.js'
import { type GatewayTables, storedTransaction } from '../database/gateway-tables.js'
import type { ErasesPayer } from './erases-payer.js'

/** An order that holds a payer's data. */
export interface PayerOrder {
  readonly code: TransactionCode
  readonly merchantId: string
  readonly reference: string
  readonly status: TransactionStatus
  readonly createdAtMs: number
  /** Code of the card that it saved. */
  readonly savedCard: string | undefined
  /** Why the payer cannot be erased yet: the outcome is open, or the order is too recent. */
  readonly keptFor: 'outcome' | 'purchase-limit' | undefined
}

/** Replaces the e-mail of an erased payer; no real address can equal it. */
const ERASED_EMAIL = 'erased@erased.invalid'
const BATCH_SIZE = 100
/** The worker needs the order until its final outcome. */
const OPEN_STATUSES: readonly TransactionStatus[] = ['PENDING', 'UNDER-REVIEW']

/**
 * Stored data of payers. A payer is a CPF, CNPJ or e-mail, in any case and punctuation; only the
 * named one finds orders.
 * @param rooms - All that store data of payers beside the payment.
 */
export function createSqlPayerData(
  database: Database<GatewayTables>,
  rooms: readonly ErasesPayer[],
) {
  const erase = erasing(rooms)
  return {
    /** The orders that hold the payer's data, oldest first. */
    async orders(payer: string, nowMs: number, limit: number): Promise<readonly PayerOrder[]> {
      const found = await listEverywhere(
        database.reader,
        (db) =>
          db
            .selectFrom('transactions')
            .selectAll()
            .where(isOf(payer))
            .orderBy('created_at')
            .orderBy('code')
            .limit(limit)
            .execute(),
        ({ code }) => code,
      )
      const rows = found.toSorted(
        (one, other) => one.created_at - other.created_at || one.code - other.code,
      )
      return rows.slice(0, limit).map((row) => payerOrder(storedTransaction.read(row), nowMs))
    },

    /**
     * Erases the payer from the given orders, in batches, except from those that must be kept.
     * Code, reference, amounts, dates, status, refunds and the charge of the card stay: refunds and
     * chargebacks need them. Returns the codes.
     * @param codes - As found by `orders`: a later order may have another card.
     */
    async erase(
      codes: readonly TransactionCode[],
      nowMs: number,
    ): Promise<readonly TransactionCode[]> {
      const erased: TransactionCode[] = []
      for (let start = 0; start < codes.length; start += BATCH_SIZE) {
        const batch = codes.slice(start, start + BATCH_SIZE)
        // The next pass finds what moves into the archive meanwhile, or out of it.
        for (const place of [outside, archived, outside])
          erased.push(...(await database.transact((trx) => erase(place(trx), batch, nowMs))))
      }
      return [...new Set(erased)]
    },

    /**
     * Deletes outdated data that no request or worker has deleted yet: responses after a day, sums
     * that no longer count, declines after an hour.
     */
    forget: (payer: string, nowMs: number): Promise<void> =>
      database.transact((trx) => forget(trx, comparedPayer(payer), nowMs)),
  }
}

function payerOrder({ savedCard, ...order }: Transaction, nowMs: number): PayerOrder {
  const { code, merchantId, reference, status, createdAtMs } = order
  const isOpen = order.open || OPEN_STATUSES.includes(status) || order.activateAtMs !== undefined
  const isYoung = createdAtMs >= periodStartMs(nowMs)
  const keptFor = isOpen ? 'outcome' : isYoung ? 'purchase-limit' : undefined
  return { code, merchantId, reference, status, createdAtMs, savedCard: savedCard?.code, keptFor }
}

async function forget(
  trx: Connection<GatewayTables>,
  document: string,
  nowMs: number,
): Promise<void> {
  await trx
    .deleteFrom('idempotency_keys')
    .where('created_at', '<', nowMs - DAY_MS)
    .execute()
  await trx
    .deleteFrom('payer_purchases')
    .where('payer_document', '=', document)
    .where('day', '<', Math.floor(periodStartMs(nowMs) / DAY_MS))
    .execute()
  await trx
    .deleteFrom('card_declines')
    .where('payer_document', '=', document)
    .where('declined_at', '<', nowMs - HOUR_MS)
    .execute()
}

function outside(db: Connection<GatewayTables>): Connection<GatewayTables> {
  return db
}

function isOf(payer: string) {
  const compared = comparedPayer(payer)
  return (of: ExpressionBuilder<GatewayTables, 'transactions'>) =>
    compared.includes('@')
      ? sql<SqlBool>`lower(${of.ref('payer_email')}) = ${compared}`
      : of('payer_document', '=', compared)
}

/** Erases payers from orders and, in the same unit of work, from the rooms' data of those. */
function erasing(rooms: readonly ErasesPayer[]): typeof eraseBatch {
  return async (trx, batch, nowMs) => {
    const codes = await eraseBatch(trx, batch, nowMs)
    if (codes.length > 0) for (const erase of rooms) await erase(trx, codes)
    return codes
  }
}

async function eraseBatch(
  trx: Connection<GatewayTables>,
  batch: readonly TransactionCode[],
  nowMs: number,
): Promise<readonly TransactionCode[]> {
  const rows = await trx
    .selectFrom('transactions')
    .select('code')
    .where('code', 'in', batch)
    .where('open', '=', 0)
    .where('status', 'not in', OPEN_STATUSES)
    .where('activate_at', 'is', null)
    .where('created_at', '<', periodStartMs(nowMs))
    .orderBy('code')
    .forUpdate()
    .execute()
  if (rows.length === 0) return []
  const codes = rows.map(({ code }) => code)
  const emptied = {
    payer_email: ERASED_EMAIL,
    payer_document: '',
    description: '',
    request: '{}',
    order_fingerprint: null,
    saved_card: null,
  }
  await trx.updateTable('transactions').set(emptied).where('code', 'in', codes).execute()
  return codes as TransactionCode[]
}
