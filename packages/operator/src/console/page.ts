import type { PerEnvironment, RoomPages } from '@cofre/panel/page'
import { paymentPages } from './payment/page.js'
import type { PaymentDesk, ShownPayments } from './payment/parts.js'
import { storePage } from './store/page.js'
import type { StoreDesk } from './store/parts.js'

interface ShownDesk extends ShownPayments {
  readonly desks: PerEnvironment<PaymentDesk & StoreDesk>
}

/** The pages of a payment with its actions, and of a store with its owners' settings. */
export function operatorPages(shown: ShownDesk): readonly RoomPages[] {
  return [paymentPages(shown), storePage(shown)]
}
