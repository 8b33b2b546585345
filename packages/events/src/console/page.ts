import { type ConsolePage, textsOfPage } from '@cofre/panel/page'
import type { StoreEvents } from './parts.js'
import { EVENTS_TEXTS } from './texts.js'

/** The page of events and the endpoints that receive them. */
export function eventsPage(events: StoreEvents): ConsolePage {
  return {
    path: '/events',
    permission: 'events:read',
    section: 'payments',
    rank: 55,
    icon: 'M13 3 5 14h6l-1 7 8-11h-6z',
    texts: textsOfPage(EVENTS_TEXTS, 'events'),
    load: async () => {
      const { eventPages } = await import('./event-pages.js')
      return (pages, parts) => {
        eventPages(pages, { ...parts, events })
      }
    },
  }
}
