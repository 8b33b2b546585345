// Query parameters of the list of payment links.
import { ApiError, type Failure, LINK_STATUSES, type LinkStatus } from '@cofre/contracts'
import {
  type Parameters,
  failInto,
  readPaging,
  readReference,
  readStatus,
} from '@cofre/gateway/room'
import type { LinkState } from './payment-link.js'

/** The list's parameters, by their names in requests. */
export const LINK_PARAMETERS: readonly string[] = [
  'reference',
  'status',
  'page',
  'max-page-results',
]

/** The API's name of a state. */
export const LINK_STATUS: Readonly<Record<LinkState, LinkStatus>> = {
  payable: 'PAYABLE',
  paid: 'PAID',
  expired: 'EXPIRED',
  revoked: 'REVOKED',
}

const STATES: Readonly<Record<LinkStatus, LinkState>> = {
  PAYABLE: 'payable',
  PAID: 'paid',
  EXPIRED: 'expired',
  REVOKED: 'revoked',
}

/** Parses the query of the list. @throws ApiError with every wrong parameter */
export function readLinkQuery(parameters: Parameters) {
  const failures: Failure[] = []
  const fail = failInto(failures, parameters)
  const paging = readPaging(parameters, fail)
  const status = readStatus(parameters.status, LINK_STATUSES, fail)
  const reference = readReference(parameters.reference, fail)
  if (failures.length > 0) throw new ApiError(failures)
  return { ...paging, reference, state: status && STATES[status] }
}
