import { createHash } from 'node:crypto'
import { type ChargeRecordOptions, createChargeRecords } from '@cofre/gateway/room'
import { MERCHANT } from '../../gateway/src/gateway.fixture.js'
import type { ReturnFile } from '@cofre/provider-kit/bank'
import {
  type GivenFile,
  type ReturnFiles,
  type ReturnFilesOptions,
  createReturnFiles,
} from './return-files.js'

/** A file that was read, for the tests' account: another file where it says something else. */
export function givenFile(file: ReturnFile, over: Partial<GivenFile> = {}): GivenFile {
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

/** Takes files in at a gateway. */
export const returnFilesAt = (
  parts: Omit<ReturnFilesOptions, 'charges'> & ChargeRecordOptions,
): ReturnFiles => createReturnFiles({ ...parts, charges: createChargeRecords(parts) })
