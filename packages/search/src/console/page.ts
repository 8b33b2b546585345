import type { ConsolePage } from '@cofre/panel/page'
import { figuresPage } from './figures/page.js'
import { paymentsPage } from './payments/page.js'
import type { ShownSearch } from './payments/parts.js'

/** The pages on which a store's people find its payments, and see its figures. */
export function searchPages(shown: ShownSearch): readonly ConsolePage[] {
  return [paymentsPage(shown), figuresPage(shown.figures)]
}
