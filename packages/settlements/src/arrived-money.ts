import { Readable } from 'node:stream'
import type { ArrivedMoney, ListedPix } from '@cofre/banks/room'
import { type SettlementImport, checkDay } from './settlement-import.js'

interface ArrivedMoneyDeps {
  readonly files: SettlementImport
  /** The lists of PIX that banks have: one for each account, which grows. */
  readonly lists: { add(listed: ListedPix): Promise<void> }
}

export function createArrivedMoney({ files, lists }: ArrivedMoneyDeps): ArrivedMoney {
  return {
    keepList: (listed) => lists.add(listed),
    lastDayOf(format, lines) {
      const lastDay = files.lastDayOf(format)
      for (const line of lines) checkDay(line, lastDay)
      return lastDay
    },
    async keepFile({ lines, sha256, bytes, ...uploaded }) {
      const content = { lines: Readable.from(lines), read: () => ({ sha256, bytes }) }
      const end = await files.take(uploaded, content)
      // Finance has uploaded it before, when its payments were not recorded yet.
      if (end.kind === 'known') await files.compareAgain(uploaded.storeId, end.id)
      await files.compare()
      return end.id
    },
  }
}
