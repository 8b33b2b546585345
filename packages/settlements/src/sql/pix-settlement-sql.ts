import { createHash } from 'node:crypto'
import { type Connection, type Database, namedLock } from '@cofre/sql'
import type { ListedPix } from '@cofre/banks/room'
import { dayNumberInBrasilia } from '@cofre/gateway/room'
import type { PixBankPayment } from '@cofre/provider-kit/bank'
import { BANK_LIST } from '../model/settlement-formats.js'
import { LINES_AT_ONCE } from '../model/settlement.js'
import type { RoomTables } from './settlement-tables.js'
import type { SettlementFileRow, SettlementLineRow } from './settlement-tables.js'
import { lockFile, newFileRow, setFile } from './settlement-file-store-sql.js'

type Db = Connection<RoomTables>

/** Banks' lists of PIX: one for each account, which grows. */
export function createSqlPixSettlements(database: Database<RoomTables>) {
  return {
    /** Adds payments that were not listed before. */
    async add(listed: ListedPix): Promise<void> {
      const { payments } = listed
      for (let at = 0; at < payments.length; at += LINES_AT_ONCE)
        await database.transact((trx) =>
          add(trx, { ...listed, payments: payments.slice(at, at + LINES_AT_ONCE) }),
        )
    },
  }
}

async function add(trx: Db, listed: ListedPix): Promise<void> {
  const { accountId, payments, machineNowMs } = listed
  await trx.run(namedLock(`PIX settlements of ${accountId}`))
  const file = await lockList(trx, listed)
  if (file === undefined) return
  const rows = payments.map((payment) => rowOf(payment, file, machineNowMs))
  const known = await trx
    .selectFrom('settlement_lines')
    .select('fingerprint')
    .where('merchant_id', '=', file.merchant_id)
    .where(
      'fingerprint',
      'in',
      rows.map(({ fingerprint }) => fingerprint),
    )
    .where('file_id', '=', file.id)
    .execute()
  const before = new Set(known.map(({ fingerprint }) => fingerprint))
  const added = rows
    .filter(({ fingerprint }, i) => {
      const isFirst = rows.findIndex((row) => row.fingerprint === fingerprint) === i
      return isFirst && !before.has(fingerprint)
    })
    .map((row, i): SettlementLineRow => ({ ...row, line: file.lines + i + 1 }))
  if (added.length === 0) return
  await trx.insertInto('settlement_lines').values(added).execute()
  const days = added.map(({ day }) => day)
  await setFile(trx, file.id, {
    state: 'comparing',
    lines: file.lines + added.length,
    from_day: Math.min(file.from_day ?? Infinity, ...days),
    to_day: Math.max(file.to_day ?? -Infinity, ...days),
  })
}

/** Undefined if the account no longer exists. */
async function lockList(
  trx: Db,
  { accountId, newId, machineNowMs }: ListedPix,
): Promise<SettlementFileRow | undefined> {
  const content = `PIX of ${accountId}`
  const account = await trx
    .selectFrom('accounts')
    .select(['merchant_id', 'label'])
    .where('id', '=', accountId)
    .executeTakeFirst()
  if (account === undefined) return undefined
  const { merchant_id: storeId } = account
  const known = await trx
    .selectFrom('settlement_files')
    .select('id')
    .where('merchant_id', '=', storeId)
    .where('content', '=', content)
    .executeTakeFirst()
  if (known !== undefined) return await lockFile(trx, known.id)
  const row: SettlementFileRow = {
    ...newFileRow({
      id: newId,
      storeId,
      format: BANK_LIST,
      accountId,
      name: account.label,
      actor: 'worker',
      uploadedAtMs: machineNowMs,
    }),
    content,
    state: 'ready',
    taken_at: machineNowMs,
  }
  await trx.insertInto('settlement_files').values(row).execute()
  return row
}

function rowOf(
  { endToEndId, amountMinor, paidAtMs }: PixBankPayment,
  { id, merchant_id }: SettlementFileRow,
  machineNowMs: number,
): SettlementLineRow {
  return {
    file_id: id,
    line: 0,
    merchant_id,
    kind: 'sale',
    named_code: null,
    reference: null,
    acquirer_id: null,
    nsu: null,
    authorization_code: null,
    end_to_end_id: endToEndId,
    installment: null,
    installments: null,
    brand: null,
    day: dayNumberInBrasilia(paidAtMs ?? machineNowMs),
    gross: amountMinor,
    // A bank's list has no fees.
    fee: 0,
    net: amountMinor,
    fingerprint: createHash('sha256').update(`${id} ${endToEndId}`).digest('hex').slice(0, 32),
    result: 'new',
    difference: null,
    expected: null,
    transaction_code: null,
    resolved_at: null,
    resolved_by: null,
    note: null,
  }
}
