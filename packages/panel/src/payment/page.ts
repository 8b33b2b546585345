import type { PagesBelow } from '../frame/console-page.js'

/** A payment's own page, below the list. */
export const PAYMENT_PAGES: PagesBelow = {
  below: '/payments',
  permission: 'payments:read',
  load: async () => (await import('./payment-pages.js')).addPaymentPages,
}
