import type { ErrorDefinition } from './error-definition.js'

/** Section 7.6 of the specification. */
export const refundErrors = {
  refund_internal_server_error: { code: 20601, status: 500, key: 'internal_server_error' },
  partner_not_found: { code: 20604, status: 422 },
  payment_does_not_accept_refund: { code: 20605, status: 422 },
  refund_already_requested: { code: 20607, status: 409 },
  refund_amount_is_greater_than_limit: { code: 20608, status: 422 },
  refund_amount_is_greater_than_transaction: { code: 20609, status: 422 },
  refund_not_found: { code: 20610, status: 404 },
  service_refund_access_not_authorized: { code: 20612, status: 422 },
  transaction_is_reseller: { code: 20613, status: 422 },
  transaction_not_found: { code: 20614, status: 404 },
  transaction_status_not_accept_refund: { code: 20615, status: 422 },
  expired_refund_request: { code: 20621, status: 422 },
  partial_refund_not_allowed: { code: 20622, status: 422 },
  unknown_error: { code: 20699, status: 500 },
  refund_invalid: { code: 20698, status: 400 },
} as const satisfies Record<string, ErrorDefinition>
