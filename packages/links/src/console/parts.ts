import type { PanelParts, PerEnvironment } from '@cofre/panel/page'
import type { PaymentLinks } from '../model/payment-links.js'

/** The dependencies of the pages. */
export interface ShownLinks {
  readonly links: PerEnvironment<PaymentLinks>
  /** The notification address of the store's last payment; undefined before the first one. */
  readonly lastNotificationUrl: PerEnvironment<(storeId: string) => Promise<string | undefined>>
}

export type LinkParts = PanelParts & ShownLinks
