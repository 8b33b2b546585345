import type { PanelParts, PerEnvironment } from '@cofre/panel/page'
import type { PaymentLinks } from '../model/payment-links.js'

export interface LinkParts extends PanelParts {
  readonly links: PerEnvironment<PaymentLinks>
}
