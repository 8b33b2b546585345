import { type ConsolePage, textsOfPage } from '@cofre/panel/page'
import type { ShownWaiting } from './parts.js'
import { WAITING_TEXTS } from './texts.js'

/** The list of a store's authorized payments. */
export function waitingPage(shown: ShownWaiting): ConsolePage {
  return {
    path: '/waiting-for-capture',
    permission: 'payments:read',
    section: 'payments',
    rank: 15,
    icon: 'M3 7h18v11H3zM3 11h18M12 13v3h3',
    texts: textsOfPage(WAITING_TEXTS, 'waiting'),
    load: async () => {
      const { waitingList } = await import('./waiting-list.js')
      return (pages) => {
        waitingList(pages, shown)
      }
    },
  }
}
