import { type ConsolePage, textsOfPage } from '@cofre/panel/page'
import type { ShownSearch } from './parts.js'
import { PAYMENT_LIST_TEXTS } from './texts.js'

/** The list of a store's payments. A payment's own page belongs to another package. */
export function paymentsPage(shown: ShownSearch): ConsolePage {
  return {
    path: '/payments',
    permission: 'payments:read',
    section: 'payments',
    rank: 10,
    icon: 'M3 7h18v11H3zM3 11h18M7 15h4',
    texts: textsOfPage(PAYMENT_LIST_TEXTS, 'transactions'),
    load: async () => {
      const { paymentListPages } = await import('./payment-list.js')
      const { payerSearchPages } = await import('./payer-search.js')
      return (pages, parts) => {
        paymentListPages(pages, { ...parts, ...shown })
        payerSearchPages(pages, { ...parts, ...shown })
      }
    },
  }
}
