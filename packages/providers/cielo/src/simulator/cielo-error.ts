import type { ContentfulStatusCode } from 'hono/utils/http-status'

/** The codes of Cielo's manual that the simulator uses. */
const MESSAGES = {
  57: 'Bandeira inválida',
  102: 'Payment Type is required',
  108: 'Amount must be greater or equal to zero',
  114: 'The provided MerchantId is not in correct format',
  115: 'The provided MerchantId was not found',
  117: 'Credit Card Holder is required',
  118: 'Credit Card Number is required',
  119: 'At least one Payment is required',
  122: 'MerchantOrderId is required',
  123: 'Installments must be greater or equal to one',
  124: 'Credit Card is Required',
  126: 'Credit Card Expiration Date is invalid',
  128: 'Card Number length exceeded',
  131: 'MerchantKey is required',
  132: 'MerchantKey is invalid',
  146: 'Credit Card SecurityCode length exceeded',
  173: 'Payment method is not enabled',
  182: 'Credit Card Brand is required',
  184: 'Request could not be empty',
  185: 'Brand not supported by selected provider',
  213: 'Credit Card Number is invalid',
  214: 'Credit Card Holder Must Have Only Letters',
  307: 'Transaction not found',
  308: 'Transaction not available to capture',
  309: 'Transaction not available to void',
  312: 'Transaction not available to refund',
  318: 'No transaction found',
} as const

export type CieloErrorCode = keyof typeof MESSAGES

export interface CieloFault {
  readonly Code: CieloErrorCode
  readonly Message: string
}

/** Cielo's answer if nothing was carried out: a list. */
export class CieloError extends Error {
  readonly status: ContentfulStatusCode
  readonly body: readonly CieloFault[]

  constructor(status: ContentfulStatusCode, codes: readonly CieloErrorCode[]) {
    super(codes.map((code) => MESSAGES[code]).join('; '))
    this.name = 'CieloError'
    this.status = status
    this.body = codes.map((Code) => ({ Code, Message: MESSAGES[Code] }))
  }
}
