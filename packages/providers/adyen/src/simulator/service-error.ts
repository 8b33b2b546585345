/** Adyen's answer if nothing was carried out: the documented `ServiceError`. */
const ERRORS = {
  unauthorized: [401, '000', 'HTTP Status Response - Unauthorized', 'security'],
  not_allowed: [403, '010', 'Not allowed', 'security'],
  merchant_account: [403, '901', 'Invalid Merchant Account', 'security'],
  not_json: [400, '701', 'Request body is not JSON', 'validation'],
  field: [422, '702', 'A field is invalid', 'validation'],
  amount: [422, '100', 'There is no amount specified in the request', 'validation'],
  number: [422, '101', 'Invalid card number', 'validation'],
  cvc: [422, '103', 'CVC is not the right length', 'validation'],
  expiry: [422, '129', 'Expiry Date Invalid', 'validation'],
  missing: [422, '130', 'A required field is not provided.', 'validation'],
  redirect_result: [422, '702', "The 'details.redirectResult' field is invalid.", 'validation'],
  original: [422, '167', 'Original pspReference required for this operation', 'validation'],
  in_progress: [422, '704', 'Request already processed or in progress', 'validation'],
  not_found: [404, '000', 'Not found', 'validation'],
  internal: [500, '905', 'Payment details are not supported', 'internal'],
} as const satisfies Record<string, readonly [number, string, string, string]>

export type ServiceErrorName = keyof typeof ERRORS

export class ServiceError extends Error {
  readonly status: (typeof ERRORS)[ServiceErrorName][0]
  readonly body: Readonly<Record<string, unknown>>
  /** Adyen's header `transient-error`: the same request may succeed later. */
  readonly isTransient: boolean

  constructor(name: ServiceErrorName, message?: string) {
    const [status, errorCode, usual, errorType] = ERRORS[name]
    super(message ?? usual)
    this.name = 'ServiceError'
    this.status = status
    this.isTransient = name === 'in_progress'
    this.body = { status, errorCode, message: message ?? usual, errorType }
  }
}
