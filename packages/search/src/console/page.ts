import type { ConsolePage } from '@cofre/panel/page'
import { figuresPage } from './figures/page.js'
import { paymentsPage } from './payments/page.js'
import type { ShownSearch } from './payments/parts.js'

/** How the people of a store find its payments, and what is counted of them. */
export function searchPages(shown: ShownSearch): readonly ConsolePage[] {
  return [paymentsPage(shown), figuresPage(shown.figures)]
}
