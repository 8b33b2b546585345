import { type SandboxPage, textsOfPage } from '../frame/console-page.js'
import { CREDENTIALS_TEXTS } from './texts.js'

export const CREDENTIALS_PAGE: SandboxPage = {
  path: '/credentials',
  permission: 'sandbox:secret',
  section: 'store',
  rank: 40,
  icon: 'M8 11a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM11 12l8-8M16 7l3 3',
  texts: textsOfPage(CREDENTIALS_TEXTS, 'credentials'),
  load: async () => (await import('./credentials.js')).credentialsPages,
}
