import {
  type CancellationBody,
  type PaymentBody,
  type RefundListBody,
  ApiError,
  CARD_TYPE,
  assertNever,
  captureRequestTable,
} from '@cofre/contracts'
import {
  type AddRoomRoutes,
  type PaymentCopies,
  type Parameters,
  type PaymentListing,
  type Transaction,
  jsonResponse,
  paymentSummary,
  readJson,
  refundSummary,
  transactionCodeSchema,
} from '@cofre/gateway/room'
import type { AccountsOfStore } from '../model/payment-accounts.js'
import type { PaymentActs } from '../model/payment-acts.js'
import type { TransactionDetails } from '../model/payment-file.js'
import type { RefundLists } from '../model/refund-lists.js'
import { cancelAuthorized, capture, readCapture } from './payment-capture.js'
import { paymentElement } from './payment-body.js'
import { REFUND_PARAMETERS, readRefundQuery } from './refund-query.js'

/** The desk's use cases behind the interfaces. */
export interface PaymentCalls {
  readonly accounts: AccountsOfStore
  readonly acts: Pick<PaymentActs, 'cancel' | 'capture' | 'voidAuthorized'>
  readonly copies: Pick<PaymentCopies, 'payerFields'>
  readonly listing: Pick<PaymentListing, 'isPermanentByName'>
  readonly refunds: RefundLists
  /** Resolves to undefined if the store has no payment of that code. */
  readonly find: (storeId: string, code: string) => Promise<TransactionDetails | undefined>
}

/** `/payments/{code}`, what ends it, and `/refunds`, as the API of a store serves them. */
export function paymentRoutes(calls: PaymentCalls): AddRoomRoutes {
  return (app, { publicUrl, signed }) => {
    const lookUp = { scope: 'read', version: 'v2', checks: ['accept-language'] } as const

    app.get('/payments/:code', signed(lookUp), async (context) => {
      const { id } = context.get('merchant')
      const details = await findDecided(calls, id, context.req.param('code'))
      const body: PaymentBody = {
        payment: paymentElement(details, {
          accounts: await calls.accounts(id),
          payerFields: calls.copies.payerFields(details.transaction, publicUrl),
        }),
      }
      return jsonResponse(context, body)
    })

    // Its nonce is not kept: what is cancelled stays so, however often it is asked for.
    app.post(
      '/payments/:code/cancellation',
      signed({ scope: 'pay', version: 'v2', checks: [] }),
      async (context) => {
        const { id } = context.get('merchant')
        return jsonResponse(context, await cancel(calls, id, context.req.param('code')))
      },
    )

    // Its nonce is not kept, either: a payment is captured once, however often it is asked for.
    app.post(
      '/payments/:code/capture',
      signed({ scope: 'pay', version: 'v2', checks: ['content-type'], body: captureRequestTable }),
      async (context) => {
        const { id: storeId } = context.get('merchant')
        const { amount } = readCapture(await readJson(context, 'capture_invalid'))
        const code = context.req.param('code')
        await findDecided(calls, storeId, code)
        return jsonResponse(context, await capture(calls, { storeId, code, amount }))
      },
    )

    const list = signed({ ...lookUp, query: REFUND_PARAMETERS })
    app.get('/refunds', list, async (context) => {
      const query: Parameters = context.req.query()
      const { items, next } = await calls.refunds.list(
        context.get('merchant').id,
        readRefundQuery(query),
      )
      const body: RefundListBody = {
        refunds: items.map(refundSummary),
        'next-cursor': next ?? null,
      }
      return jsonResponse(context, body)
    })
  }
}

/**
 * An order whose request was not answered is decided first.
 * @throws ApiError transaction_not_found; service_unavailable while it is not decided
 */
async function findDecided(
  { find, listing }: PaymentCalls,
  storeId: string,
  codeText: string,
): Promise<TransactionDetails> {
  const code = transactionCodeSchema.safeParse(codeText)
  if (!code.success) throw new ApiError('transaction_not_found')
  const found =
    (await find(storeId, codeText)) ??
    ((await listing.isPermanentByName(storeId, { code: code.data }))
      ? await find(storeId, codeText)
      : undefined)
  if (found === undefined) throw new ApiError('transaction_not_found')
  return found
}

/**
 * @throws ApiError transaction_not_found; payment_not_cancellable of one that waits for no payer;
 * service_unavailable while its bank does not answer: it stays open
 */
async function cancel(
  calls: PaymentCalls,
  storeId: string,
  code: string,
): Promise<CancellationBody> {
  const asked = await findDecided(calls, storeId, code)
  if (asked.transaction.capture !== undefined) return await cancelAuthorized(calls, storeId, code)
  if (!mayWait(asked.transaction)) throw notCancellable(asked.transaction)
  const cancellation = await calls.acts.cancel(storeId, code)
  const details = await calls.find(storeId, code)
  if (cancellation === 'not-found' || details === undefined)
    throw new ApiError('transaction_not_found')
  const { refunds, transaction } = details
  switch (cancellation) {
    case 'cancelled':
    case 'paid-meanwhile':
      return { cancellation, payment: paymentSummary(transaction, refunds) }
    case 'not-answered':
      throw new ApiError([{ name: 'service_unavailable', cause: 'bank-not-answered' }])
    case 'not-possible':
      throw notCancellable(transaction)
    default:
      return assertNever(cancellation)
  }
}

/** A card never waits for its payer to pay. */
function mayWait({ paymentType }: Transaction): boolean {
  return paymentType !== CARD_TYPE
}

function notCancellable({ status }: Transaction): ApiError {
  return new ApiError([{ name: 'payment_not_cancellable', cause: 'status', named: { status } }])
}
