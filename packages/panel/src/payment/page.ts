import { textsOfPage } from '../frame/console-page.js'
import type { ShownPage } from '../frame/shown-page.js'
import { PAYMENT_TEXTS } from './texts.js'

export const TRANSACTIONS_PAGE: ShownPage = {
  path: '/payments',
  permission: 'payments:read',
  section: 'payments',
  rank: 10,
  icon: 'M3 7h18v11H3zM3 11h18M7 15h4',
  texts: textsOfPage(PAYMENT_TEXTS, 'transactions'),
}
