import { type ConsolePage, textsOfPage } from '@cofre/panel/page'
import type { ShownLinks } from './parts.js'
import { PAYMENT_LINK_TEXTS } from './texts.js'

/** The page of payment links. */
export function paymentLinksPage(shown: ShownLinks): ConsolePage {
  return {
    path: '/payment-links',
    permission: 'payment-links:read',
    section: 'payments',
    rank: 20,
    icon: 'M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1.5 1.5M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1.5-1.5',
    texts: textsOfPage(PAYMENT_LINK_TEXTS, 'payment-links'),
    load: async () => {
      const { paymentLinkPages } = await import('./link-pages.js')
      return (pages, parts) => {
        paymentLinkPages(pages, { ...parts, ...shown })
      }
    },
  }
}
