import { type Transaction, isAuthorized } from '@cofre/gateway/room'
import type { PossibleActs } from '../../../model/payment-acts.js'
import type { TransactionDetails } from '../../../model/payment-file.js'
import { fill } from '@cofre/pages'
import type { Child } from 'hono/jsx'
import { type Shown, portAt, type View, type Visit, useView, useTexts } from '@cofre/panel/page'
import type { PaymentParts } from '../parts.js'
import { PAYMENT_ACTS_TEXTS } from './texts.js'

/** The payment of the address, with its possible actions. */
export interface ActedOn {
  readonly details: TransactionDetails
  readonly possible: PossibleActs
}

export async function findActedOn(parts: PaymentParts, visit: Visit): Promise<ActedOn | undefined> {
  const { c, storeId } = visit
  const { code = '' } = c.req.param()
  const [details, possible] = await Promise.all([
    portAt(parts.desks, visit).findTransaction(storeId, code),
    portAt(parts.paymentActs, visit).possible(storeId, code),
  ])
  return details && possible && { details, possible }
}

export function paymentAddress(view: View, { code }: Pick<Transaction, 'code'>): string {
  return view.at(`/payments/${code}`)
}

/** A page for a decision on a payment: it shows a fixed state, and follows no changes. */
export function actPage(
  view: View,
  transaction: Transaction,
  { title: text, body }: { readonly title: string; readonly body: Child },
): Shown {
  const { reference } = transaction
  const title = fill(text, { reference })
  const heading = (
    <>
      <p class="minor">
        <a href={paymentAddress(view, transaction)}>
          {fill(PAYMENT_ACTS_TEXTS[view.language].paymentActs.backTo, { reference })}
        </a>
      </p>
      <h1>{title}</h1>
    </>
  )
  return { title, heading, body, still: true }
}

interface PaymentActsProps extends Pick<ActedOn, 'possible'> {
  readonly transaction: Transaction
}

/** The links to this person's possible actions on a payment. */
export function PaymentActs({ transaction, possible }: PaymentActsProps) {
  const { at, may } = useView()
  const texts = useTexts(PAYMENT_ACTS_TEXTS).paymentActs
  const noWayBack = unreturnableChannel(transaction)
  const { isPayerBlocked, mayCancel, ordered, refund } = possible
  const isRefunding = refund.obstacle === 'refund_already_requested'
  const isForOthers = refund.obstacle === undefined && !may('refund:create')
  const mayCapture = isAuthorized(transaction)
  const links = [
    ...(mayCapture && ordered === undefined && may('refund:create')
      ? ([
          ['capture', texts.capture],
          ['void', texts.void],
        ] as const)
      : []),
    refund.obstacle === undefined && may('refund:create') && (['refund', texts.refund] as const),
    mayCancel && may('charge:cancel') && (['cancel', texts.cancel] as const),
    isPayerBlocked !== undefined &&
      may('payer:block') &&
      (['block', isPayerBlocked ? texts.unblock : texts.block] as const),
  ].filter((link) => link !== false)
  const notes = [
    isPayerBlocked === true && texts.isBlocked,
    noWayBack !== undefined && texts.noWayBack[noWayBack],
    isRefunding && texts.refundRunning,
    isForOthers && texts.whoRefunds,
    ordered !== undefined && texts.ordered[ordered],
    mayCapture && !may('refund:create') && texts.whoCaptures,
  ].filter((note) => note !== false)
  if (links.length === 0 && notes.length === 0) return null
  return (
    <section class="card">
      <h2>{texts.title}</h2>
      {notes.map((note) => (
        <p>{note}</p>
      ))}
      {links.length > 0 && (
        <div class="actions">
          {links.map(([page, text]) => (
            <a class="button quiet" href={at(`/payments/${transaction.code}/${page}`)}>
              {text}
            </a>
          ))}
        </div>
      )}
    </section>
  )
}

/** The way of a boleto's payment whose bank sends nothing back; undefined otherwise. */
function unreturnableChannel({ paymentDetails: details, status }: Transaction) {
  const paidBy = details?.kind === 'boleto' ? details.paidBy : undefined
  return status === 'COMPLETE' && paidBy !== 'pix' ? paidBy : undefined
}
