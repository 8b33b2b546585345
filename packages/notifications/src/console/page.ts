import { type ConsolePage, textsOfPage } from '@cofre/panel/page'
import type { StoreNotifications } from './notification-pages.js'
import { NOTIFICATIONS_TEXTS } from './texts.js'

/** The page of notifications. */
export function notificationsPage(notifications: StoreNotifications): ConsolePage {
  return {
    path: '/notifications',
    permission: 'notifications:read',
    section: 'payments',
    rank: 50,
    icon: 'M6 16v-5a6 6 0 0 1 12 0v5l2 2H4zM10 21h4',
    texts: textsOfPage(NOTIFICATIONS_TEXTS, 'notifications'),
    load: async () => {
      const { notificationPages } = await import('./notification-pages.js')
      return (pages, parts) => {
        notificationPages(pages, { ...parts, notifications })
      }
    },
  }
}
