// Payments' lines in files of payouts, for a payment's page and API answer.
import type { Connection, Database } from '@cofre/sql'
import type { PaidOutLine, PaymentPart, TransactionCode } from '@cofre/gateway/room'
import { SETTLED_RESULTS } from '../model/settlement.js'
import type { RoomTables } from './settlement-tables.js'

type Lines = readonly PaidOutLine[]

/** Lines that one payment is shown with at most: a sale of 18 parts has as many. */
const LINES_MAX = 100

export function paidOutPart({ reader }: Database<RoomTables>): PaymentPart<'paidOut', Lines> {
  return {
    name: 'paidOut',
    async of(payments) {
      const paid = payments.filter(({ paidAtMs }) => paidAtMs !== undefined)
      const found = await Promise.all(
        paid.map(async ({ code, merchantId }) => {
          const lines = await linesOf(reader, merchantId, code)
          return [code, lines] as const
        }),
      )
      return new Map(found.filter(([, lines]) => lines.length > 0))
    },
  }
}

async function linesOf(
  reader: Connection<RoomTables>,
  storeId: string,
  code: TransactionCode,
): Promise<Lines> {
  const rows = await reader
    .selectFrom('settlement_lines')
    .select(['kind', 'result', 'installment', 'gross', 'fee', 'net', 'day'])
    .where('merchant_id', '=', storeId)
    .where('transaction_code', '=', code)
    .where('result', 'in', SETTLED_RESULTS)
    .orderBy('day')
    .orderBy('file_id')
    .orderBy('line')
    .limit(LINES_MAX)
    .execute()
  return rows.map(({ kind, result, installment, gross, fee, net, day }) => ({
    kind,
    result: result as PaidOutLine['result'],
    installment: installment ?? undefined,
    grossMinor: gross,
    feeMinor: fee,
    netMinor: net,
    day,
  }))
}
