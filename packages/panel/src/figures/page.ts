import { type ConsolePage, textsOfPage } from '../frame/console-page.js'
import { FIGURES_TEXTS } from './texts.js'

export const FIGURES_PAGE: ConsolePage = {
  path: '/figures',
  permission: 'figures:read',
  section: 'payments',
  rank: 30,
  icon: 'M4 20h16M7 20v-7M12 20V6M17 20v-10',
  texts: textsOfPage(FIGURES_TEXTS, 'figures'),
  load: async () => (await import('./figures-page.js')).figuresPage,
}
