import type { ConsolePages } from './frame/console-pages.js'
import { type PanelParts, sandboxPartsOf } from './frame/panel-parts.js'
import { firstTransactionOf } from './sandbox/first-transaction.js'
import { playedPaymentActions, playedPayments } from './sandbox/played-payment.js'
import { chargePages } from './payment/acts/charge-pages.js'
import { refundPages } from './payment/acts/refund-pages.js'
import { payerSearchPages } from './payment/payer-search.js'
import { transactionListPage } from './payment/transaction-list.js'
import { transactionPage } from './payment/transaction.js'

/** Payments, and what people do with one. */
export function addPaymentPages(pages: ConsolePages, parts: PanelParts): void {
  const sandboxParts = sandboxPartsOf(parts)
  transactionListPage(pages, parts, sandboxParts && firstTransactionOf(sandboxParts))
  payerSearchPages(pages, parts)
  transactionPage(pages, {
    played: sandboxParts && playedPayments(sandboxParts),
    acts: parts.people?.acts,
  })
  refundPages(pages)
  chargePages(pages)
  if (sandboxParts !== undefined) playedPaymentActions(pages, sandboxParts)
}
