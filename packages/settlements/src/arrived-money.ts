import { Readable } from 'node:stream'
import type { ArrivedMoney, ListedPix } from '@cofre/banks/room'
import { type SettlementImport, checkDay } from './settlement-import.js'

interface ArrivedMoneyDeps {
  readonly files: SettlementImport
  /** Banks' lists of PIX: one for each account, which grows. */
  readonly lists: { add(listed: ListedPix): Promise<void> }
}

export function createArrivedMoney({ files, lists }: ArrivedMoneyDeps): ArrivedMoney {
  return {
    recordList: (listed) => lists.add(listed),
    lastDayOf(format, lines) {
      const lastDay = files.lastDayOf(format)
      for (const line of lines) checkDay(line, lastDay)
      return lastDay
    },
    async recordFile({ lines, sha256, bytes, ...uploaded }) {
      const content = { lines: Readable.from(lines), read: () => ({ sha256, bytes }) }
      const end = await files.importFile(uploaded, content)
      // Finance uploaded the file before its payments were recorded.
      if (end.kind === 'known') await files.compareAgain(uploaded.storeId, end.id)
      await files.compare()
      return end.id
    },
  }
}
