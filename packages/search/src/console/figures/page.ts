import { type ConsolePage, type PerEnvironment, textsOfPage } from '@cofre/panel/page'
import type { Figures } from '../../model/store-figures.js'
import { FIGURES_TEXTS } from './texts.js'

/** The page of a store's figures. */
export function figuresPage(figures: PerEnvironment<Figures>): ConsolePage {
  return {
    path: '/figures',
    permission: 'figures:read',
    section: 'payments',
    rank: 30,
    icon: 'M4 20h16M7 20v-7M12 20V6M17 20v-10',
    texts: textsOfPage(FIGURES_TEXTS, 'figures'),
    load: async () => {
      const { figuresPages } = await import('./figures-page.js')
      return (pages, parts) => {
        figuresPages(pages, parts, figures)
      }
    },
  }
}
