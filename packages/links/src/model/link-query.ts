// Query parameters of the list of payment links.
import { ApiError, type Failure, LINK_STATUSES, type LinkStatus } from '@cofre/contracts'
import {
  type Parameters,
  failInto,
  readPaging,
  readReference,
  readStatus,
} from '@cofre/gateway/room'
import { LINK_STATES, type LinkState } from './payment-link.js'

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
  reserved: 'PAID',
  paid: 'PAID',
  expired: 'EXPIRED',
  revoked: 'REVOKED',
}

/** Parses the query of the list. @throws ApiError with every wrong parameter */
export function readLinkQuery(parameters: Parameters) {
  const failures: Failure[] = []
  const fail = failInto(failures, parameters)
  const paging = readPaging(parameters, fail)
  const status = readStatus(parameters.status, LINK_STATUSES, fail)
  const reference = readReference(parameters.reference, fail)
  if (failures.length > 0) throw new ApiError(failures)
  const states = LINK_STATES.filter((state) => LINK_STATUS[state] === status)
  return { ...paging, reference, states: status && states }
}
