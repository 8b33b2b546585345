import { type ConsolePage, textsOfPage } from '../frame/console-page.js'
import { SETTLEMENT_TEXTS } from './texts.js'

export const SETTLEMENTS_PAGE: ConsolePage = {
  path: '/settlements',
  permission: 'settlements:read',
  section: 'payments',
  icon: 'M3 9h18M5 9l7-5 7 5M6 9v8M10 9v8M14 9v8M18 9v8M4 20h16',
  texts: textsOfPage(SETTLEMENT_TEXTS, 'settlements'),
  load: async () => (await import('./settlement-pages.js')).settlementPages,
}
