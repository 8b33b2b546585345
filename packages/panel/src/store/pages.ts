import { type ConsolePage, type SandboxPage, textsOfPage } from '../frame/console-page.js'
import { STORE_TEXTS } from './texts.js'

export const STORE_PAGE: ConsolePage = {
  path: '/store',
  permission: 'store:settings',
  section: 'store',
  rank: 10,
  icon: 'M4 10v9h16v-9M3 10l2-5h14l2 5zM10 19v-5h4v5',
  texts: textsOfPage(STORE_TEXTS, 'store'),
  load: async () => (await import('./store-page.js')).storePages,
}

export const CREDENTIALS_PAGE: SandboxPage = {
  path: '/credentials',
  permission: 'sandbox:secret',
  section: 'store',
  rank: 40,
  icon: 'M8 11a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM11 12l8-8M16 7l3 3',
  texts: textsOfPage(STORE_TEXTS, 'credentials'),
  load: async () => (await import('./credentials.js')).credentialsPages,
}
