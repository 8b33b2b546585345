import type { PanelParts, PerEnvironment } from '@cofre/panel/page'
import type { PaymentLinks } from '../model/payment-links.js'

/** What the pages show. */
export interface ShownLinks {
  readonly links: PerEnvironment<PaymentLinks>
  /** Where the store's last payment was notified; undefined before the first one. */
  readonly lastNotificationUrl: PerEnvironment<(storeId: string) => Promise<string | undefined>>
}

export type LinkParts = PanelParts & ShownLinks
