import { DAY_MS, type SettlementLine } from '@cofre/contracts'
import type { NewSettlementFile } from '../model/settlement.js'
import type { SettlementLineRow } from './settlement-tables.js'

/** The row of a new line, and its content: equal lines have equal contents. */
export function rowOfLine(
  line: SettlementLine,
  { id, storeId, format, accountId }: NewSettlementFile,
): { readonly row: Omit<SettlementLineRow, 'fingerprint'>; readonly text: string } {
  const facts = {
    kind: line.kind,
    named_code: line.transactionCode === undefined ? null : Number(line.transactionCode),
    reference: line.reference ?? null,
    acquirer_id: line.acquirerId ?? null,
    nsu: line.nsu ?? null,
    authorization_code: line.authorizationCode ?? null,
    end_to_end_id: line.endToEndId ?? null,
    installment: line.installment ?? null,
    installments: line.installments ?? null,
    brand: line.brand ?? null,
    day: Date.parse(line.paidOn) / DAY_MS,
    gross: line.grossMinor,
    fee: line.feeMinor,
    net: line.netMinor,
  }
  const text = JSON.stringify([
    format,
    accountId ?? '',
    line.entryId ?? '',
    ...Object.values(facts),
  ])
  const row = {
    file_id: id,
    line: line.line,
    merchant_id: storeId,
    ...facts,
    result: 'new' as const,
    difference: null,
    expected: null,
    transaction_code: null,
    resolved_at: null,
    resolved_by: null,
    note: null,
  }
  return { row, text }
}

export const LINE_COLUMNS = [
  'file_id',
  'line',
  'merchant_id',
  'kind',
  'named_code',
  'reference',
  'acquirer_id',
  'nsu',
  'authorization_code',
  'end_to_end_id',
  'installment',
  'installments',
  'brand',
  'day',
  'gross',
  'fee',
  'net',
  'fingerprint',
  'result',
  'difference',
  'expected',
  'transaction_code',
  'resolved_at',
  'resolved_by',
  'note',
] as const satisfies readonly (keyof SettlementLineRow)[]
