import type { PayResult, PaymentOrder, ShownLink, ShownTry } from '@cofre/gateway'

/** What the payment page asks of its gateway. Texts that name nothing find nothing. */
export interface PaymentPage {
  find(linkId: string): Promise<ShownLink | undefined>
  findTry(linkId: string, tryId: string): Promise<ShownTry | undefined>
  /** Pays a link, once for each form, however often that is sent. */
  pay(linkId: string, order: PaymentOrder): Promise<PayResult>
}
