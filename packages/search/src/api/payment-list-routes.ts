import { ApiError, type PaymentListBody, paymentSearchTable } from '@cofre/contracts'
import {
  type AddRoomRoutes,
  type PaymentListing,
  fixedPath,
  jsonResponse,
  paymentSummary,
  readJson,
} from '@cofre/gateway/room'
import { PAYMENT_CURSOR, type PaymentFinder, type PaymentQuery } from '../model/payment-query.js'
import { PAYMENT_PARAMETERS, readPaymentQuery, readPaymentSearch } from './payment-list-query.js'

/** The room's use cases behind the interfaces. */
export interface PaymentListCalls {
  readonly finder: Pick<PaymentFinder, 'find'>
  readonly listing: Pick<PaymentListing, 'isPermanentByName'>
}

/** `GET /payments` and `POST /payments/searches`, as the API of a store serves them. */
export function paymentListRoutes(calls: PaymentListCalls): AddRoomRoutes {
  return (app, { signed }) => {
    const list = signed({
      scope: 'read',
      version: 'v2',
      checks: ['accept-language'],
      query: PAYMENT_PARAMETERS,
    })
    app.get('/payments', list, async (context) => {
      const { id } = context.get('merchant')
      const query = readPaymentQuery(context.req.query())
      return jsonResponse(context, await listBody(calls, id, query))
    })

    const search = signed({
      scope: 'read',
      version: 'v2',
      checks: ['content-type'],
      body: paymentSearchTable,
      isRepeatable: true,
    })
    app.post('/payments/:code', fixedPath('searches', ['GET']), search, async (context) => {
      const merchant = context.get('merchant')
      const json = await readJson(context, 'payment_search_invalid')
      const query = readPaymentSearch(merchant, json)
      return jsonResponse(context, await listBody(calls, merchant.id, query))
    })
  }
}

/**
 * Filtered lists are in the order of codes, the list of all payments in that of times.
 * @throws ApiError cursor_invalid for a cursor of the other order
 */
function refuseForeignCursor(query: PaymentQuery): void {
  const { amountMinor, document, email, metadata, method, reference, status } = query
  const filters = [amountMinor, document, email, metadata, method, reference, status]
  const isFiltered = filters.some((filter) => filter !== undefined)
  const place = PAYMENT_CURSOR.read(query.after)
  if (place !== undefined && isFiltered !== (place.key === 0))
    throw new ApiError([{ name: 'cursor_invalid', property: 'cursor', constraint: 'invalid' }])
}

/**
 * An order that a reference names, and that is not found, is decided first.
 * @throws ApiError service_unavailable while it is not decided
 */
async function listBody(
  { finder, listing }: PaymentListCalls,
  storeId: string,
  query: PaymentQuery,
): Promise<PaymentListBody> {
  const { after, reference } = query
  refuseForeignCursor(query)
  const found = await finder.find(storeId, query)
  const isDecidedNow =
    found.items.length === 0 &&
    reference !== undefined &&
    after === undefined &&
    (await listing.isPermanentByName(storeId, { reference }))
  const { items, next } = isDecidedNow ? await finder.find(storeId, query) : found
  return {
    payments: items.map(({ transaction, refunds }) => paymentSummary(transaction, refunds)),
    'next-cursor': next ?? null,
  }
}
