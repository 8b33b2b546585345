import type { PerEnvironment, RoomPages } from '@cofre/panel/page'
import { paymentPages } from './payment/page.js'
import type { PaymentDesk, ShownPayments } from './payment/parts.js'
import { storePage } from './store/page.js'
import type { StoreDesk } from './store/parts.js'
import { waitingPage } from './waiting/page.js'
import type { ShownWaiting } from './waiting/parts.js'

interface ShownDesk extends ShownPayments, ShownWaiting {
  readonly desks: PerEnvironment<PaymentDesk & StoreDesk>
}

/** The pages of payments with their actions, and of a store with its owners' settings. */
export function operatorPages(shown: ShownDesk): readonly RoomPages[] {
  return [paymentPages(shown), waitingPage(shown), storePage(shown)]
}
