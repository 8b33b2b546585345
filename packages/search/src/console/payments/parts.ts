import type { PanelParts, PerEnvironment } from '@cofre/panel/page'
import type { PaymentFinder } from '../../model/payment-query.js'
import type { Figures } from '../../model/store-figures.js'

/** The dependencies of the pages. */
export interface ShownSearch {
  readonly payments: PerEnvironment<PaymentFinder>
  readonly figures: PerEnvironment<Figures>
}

export type SearchParts = PanelParts & ShownSearch
