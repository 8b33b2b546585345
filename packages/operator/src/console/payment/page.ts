import type { PagesBelow } from '@cofre/panel/page'
import type { ShownPayments } from './parts.js'

/** A payment's own page, with its actions, below the list of payments. */
export function paymentPages(shown: ShownPayments): PagesBelow {
  return {
    below: '/payments',
    permission: 'payments:read',
    load: async () => {
      const [{ transactionPage }, { refundPages }, { chargePages }, { capturePages }] =
        await Promise.all([
          import('./transaction.js'),
          import('./acts/refund-pages.js'),
          import('./acts/charge-pages.js'),
          import('./acts/capture-pages.js'),
        ])
      return (pages, parts) => {
        const own = { ...parts, ...shown }
        transactionPage(pages, own)
        refundPages(pages, own)
        chargePages(pages, own)
        capturePages(pages, own)
      }
    },
  }
}
