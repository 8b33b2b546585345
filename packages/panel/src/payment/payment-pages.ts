import type { ConsolePages } from '../frame/console-pages.js'
import type { PanelParts } from '../frame/panel-parts.js'
import { chargePages } from './acts/charge-pages.js'
import { refundPages } from './acts/refund-pages.js'
import { transactionPage } from './transaction.js'

/** A payment, and what people do with it. */
export function addPaymentPages(pages: ConsolePages, parts: PanelParts): void {
  transactionPage(pages, { played: parts.played?.ofPayment, acts: parts.people?.acts })
  refundPages(pages)
  chargePages(pages)
}
