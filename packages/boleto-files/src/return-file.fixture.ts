import { createHash } from 'node:crypto'
import { type ChargeRecordOptions, createChargeRecords } from '@cofre/banks'
import { MERCHANT } from '../../gateway/src/gateway.fixture.js'
import type { ReturnFile, ReturnLine } from '@cofre/provider-kit/bank'
import {
  type ReturnFileUpload,
  type ReturnFiles,
  type ReturnFilesOptions,
  createReturnFiles,
} from './return-files.js'

/** A parsed file for the tests' account; each different content is another file. */
export function givenFile(
  file: ReturnFile,
  over: Partial<ReturnFileUpload> = {},
): ReturnFileUpload {
  return {
    storeId: MERCHANT.id,
    accountId: 'bank-1',
    isBankByFile: true,
    format: 'cnab',
    name: 'CB.RET',
    actor: 'operator:ana',
    file,
    sha256: createHash('sha256').update(JSON.stringify(file)).digest('hex'),
    bytes: 1200,
    ...over,
  }
}

/** Imports files at a gateway. */
export const returnFilesAt = (
  parts: Omit<ReturnFilesOptions, 'charges'> & ChargeRecordOptions,
): ReturnFiles => createReturnFiles({ ...parts, charges: createChargeRecords(parts) })

/** A payment of R$ 100, with the given changes. */
function lineOf(over: Partial<ReturnLine>): ReturnLine {
  return {
    line: 2,
    kind: 'paid',
    code: '06',
    reasons: [],
    ourNumber: '00000000097',
    ourNames: [],
    titleMinor: 10_000,
    paidMinor: 10_000,
    interestMinor: 0,
    discountMinor: 0,
    feeMinor: 250,
    creditMinor: undefined,
    occurredOn: '2026-11-20',
    creditedOn: '2026-11-21',
    dueOn: '2026-11-24',
    pixTxid: undefined,
    ...over,
  }
}

/** A Bradesco file. */
export const fileOf = (lines: readonly Partial<ReturnLine>[]): ReturnFile => ({
  layout: 400,
  bank: '237',
  header: {
    agency: '1420',
    account: '16910',
    agreement: '4466911',
    fileNumber: 42,
    writtenOn: '2026-11-20',
  },
  lines: lines.map((line, index) => lineOf({ line: index + 2, ...line })),
  heldTotals: [],
})
