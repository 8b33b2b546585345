import { type ConsolePage, textsOfPage } from '../frame/console-page.js'
import { NOTIFICATION_TEXTS } from './texts.js'

export const NOTIFICATIONS_PAGE: ConsolePage = {
  path: '/notifications',
  permission: 'notifications:read',
  section: 'payments',
  rank: 50,
  icon: 'M6 16v-5a6 6 0 0 1 12 0v5l2 2H4zM10 21h4',
  texts: textsOfPage(NOTIFICATION_TEXTS, 'notifications'),
  load: async () => (await import('./notifications.js')).notificationPages,
}
