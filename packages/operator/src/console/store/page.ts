import { type ConsolePage, textsOfPage } from '@cofre/panel/page'
import type { ShownStores } from './parts.js'
import { STORE_TEXTS } from './texts.js'

/** The page of a store's rights, with its owners' settings. */
export function storePage(shown: ShownStores): ConsolePage {
  return {
    path: '/store',
    permission: 'store:settings',
    section: 'store',
    rank: 10,
    icon: 'M4 10v9h16v-9M3 10l2-5h14l2 5zM10 19v-5h4v5',
    texts: textsOfPage(STORE_TEXTS, 'store'),
    load: async () => {
      const { storePages } = await import('./store-page.js')
      return (pages, parts) => {
        storePages(pages, { ...parts, ...shown })
      }
    },
  }
}
