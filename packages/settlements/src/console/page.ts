import { type ConsolePage, textsOfPage } from '@cofre/panel/page'
import type { ShownSettlements } from './parts.js'
import { SETTLEMENT_TEXTS } from './texts.js'

/** The page of payouts of banks and acquirers, compared with the payments. */
export function settlementsPage(shown: ShownSettlements): ConsolePage {
  return {
    path: '/settlements',
    permission: 'settlements:read',
    section: 'payments',
    rank: 40,
    icon: 'M3 9h18M5 9l7-5 7 5M6 9v8M10 9v8M14 9v8M18 9v8M4 20h16',
    texts: textsOfPage(SETTLEMENT_TEXTS, 'settlements'),
    values: { format: (name, language) => shown.formats.find(name)?.titles[language] },
    load: async () => {
      const { settlementPages } = await import('./settlement-pages.js')
      return (pages, parts) => {
        settlementPages(pages, { ...parts, ...shown })
      }
    },
  }
}
