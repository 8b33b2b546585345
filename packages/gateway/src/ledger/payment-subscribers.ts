// The registry: the one file that names all subscribers to changes of payments.
import { requestIndexing } from './search/payment-index-sql.js'
import type { PaymentSubscriber } from './transaction/payment-subscriber.js'

export const PAYMENT_SUBSCRIBERS: readonly PaymentSubscriber[] = [requestIndexing]
