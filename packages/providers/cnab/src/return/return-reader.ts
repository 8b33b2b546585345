import type { ReturnFile } from '@cofre/provider-kit/bank'
import { recordsOf } from './return-records.js'
import { readReturn240 } from './return-reader-240.js'
import { readReturn400 } from './return-reader-400.js'

/** Records of CNAB 240 are never longer, except for trailing blanks. */
const WIDTH_240 = 240

/**
 * Reads a bank's whole return file, CNAB 240 or 400. Lets the event loop run.
 * @throws SettlementFileError with line and column, if any part is not plausible
 */
export async function readReturnFile(content: Uint8Array): Promise<ReturnFile> {
  const records = await recordsOf(content)
  const isWide = (records[0]?.text.trimEnd().length ?? 0) > WIDTH_240
  return isWide ? await readReturn400(records) : await readReturn240(records)
}
