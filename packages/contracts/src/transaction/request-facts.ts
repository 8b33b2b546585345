import type { PaymentType } from './payment-method.js'

/** What decides which fields a request needs; read from the body before it is judged. */
export interface RequestFacts {
  readonly type: PaymentType | undefined
  readonly cardSource: 'token' | 'code' | 'raw'
  readonly documentType: 'CPF' | 'CNPJ' | undefined
  readonly hasPhysicalItem: boolean
  /** The day of the request, `YYYY-MM-DD`. */
  readonly today: string
  /** Sub-types of `e-wallet`. */
  readonly wallets: readonly string[]
  /** Whether notifications may be sent to the URL. */
  readonly acceptsNotificationUrl: (url: string) => boolean
  /** Whether the store wants no card number as a reference; one is allowed otherwise. */
  readonly refusesCardReferences?: boolean
}
