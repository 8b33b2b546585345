// A payment as the API answers it, from what the console's page of it shows.
import { type PaymentElement, CARD_TYPE, DAY_MS, minorUnits } from '@cofre/contracts'
import {
  type AppliedCardChange,
  type BankChargeDetails,
  type NotificationDetails,
  type PayerFields,
  type PaidOutLine,
  type Transaction,
  capturedSums,
  cardOf,
  declineBody,
  formatTimestamp,
  isPayerErased,
  jsonAmount,
  jsonSignedAmount,
  paymentSummary,
  refundSummary,
  timestampOrNull,
} from '@cofre/gateway/room'
import type { TransactionDetails } from '../model/payment-file.js'
import type { PaymentAccounts } from '../model/payment-accounts.js'

const DAY_LENGTH = 10

/** `YYYY-MM-DD` of a day since 1970. */
const dayText = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, DAY_LENGTH)

/** Facts beside a payment's details. */
export interface PaymentExtras {
  readonly accounts: PaymentAccounts
  /** The codes and addresses with which it is paid. */
  readonly payerFields: PayerFields
}

export function paymentElement(
  details: TransactionDetails,
  { accounts, payerFields }: PaymentExtras,
): PaymentElement {
  const { transaction, refunds, payerName, bankCharge, paidOut } = details
  return {
    ...paymentSummary(transaction, refunds),
    payer: isPayerErased(transaction)
      ? null
      : { name: payerName, document: transaction.payerDocument, email: transaction.payerEmail },
    'notification-url': transaction.notificationUrl,
    ...payerFields,
    card: transaction.paymentType === CARD_TYPE ? cardElement(transaction, accounts) : null,
    'bank-charge': bankCharge === undefined ? null : bankChargeElement(bankCharge),
    refunds: refunds.map(refundSummary),
    notifications: details.notifications.map(notificationElement),
    disputes: details.cardChanges.flatMap(disputeElement),
    settlements: paidOut.map(settlementElement),
  }
}

type CardElement = NonNullable<PaymentElement['card']>

function cardElement(transaction: Transaction, accounts: PaymentAccounts): CardElement {
  const charge = cardOf(transaction)?.charge
  const charged = capturedSums(transaction)
  return {
    brand: transaction.subType ?? null,
    bin: transaction.cardBin ?? null,
    'last-four': transaction.cardLastFour ?? null,
    'saved-card': transaction.savedCard?.code ?? null,
    'interest-amount': jsonAmount(minorUnits(charged.chargedMinor - charged.amountMinor)),
    acquirer: charge === undefined ? null : acquirerElement(charge, accounts),
    'liability-shift': charge?.liabilityShift ?? null,
    eci: charge?.eci ?? null,
    'has-network-ids': charge?.hasNetworkIds ?? null,
    decline: declineBody(transaction) ?? null,
  }
}

type Charge = NonNullable<NonNullable<ReturnType<typeof cardOf>>['charge']>

function acquirerElement(
  { accountId, provider, paymentId, nsu, authorizationCode }: Charge,
  accounts: PaymentAccounts,
): NonNullable<CardElement['acquirer']> {
  const acquirer = accounts.acquirerOf(provider)
  return {
    name: acquirer?.company ?? provider,
    cnpj: acquirer?.cnpj ?? null,
    account: { id: accountId, name: accounts.labelOf(accountId) ?? '' },
    'payment-id': paymentId ?? null,
    nsu: nsu ?? null,
    'authorization-code': authorizationCode ?? null,
  }
}

function bankChargeElement(charge: BankChargeDetails): NonNullable<PaymentElement['bank-charge']> {
  return {
    account: { id: charge.accountId, name: charge.accountLabel },
    name: charge.name,
    'our-number': charge.ourNumber ?? null,
    'due-date': charge.dueDate ?? null,
    'date-issued': timestampOrNull(charge.issuedAtMs ?? charge.openedAtMs),
    payments: charge.payments.map((payment) => ({
      'end-to-end-id': payment.endToEndId,
      amount: jsonAmount(payment.amountMinor),
      'date-paid': formatTimestamp(payment.paidAtMs ?? payment.foundAtMs),
      way: payment.way,
      purpose: payment.purpose,
      'surplus-status': payment.refundStatus ?? null,
    })),
  }
}

function notificationElement({ notification, state, attempts }: NotificationDetails) {
  return {
    status: notification.status,
    'refund-id': notification.refundId === undefined ? null : String(notification.refundId),
    state,
    attempts: notification.attempts,
    'date-created': formatTimestamp(notification.createdAtMs),
    'date-last-attempt': timestampOrNull(attempts.at(-1)?.atMs),
  }
}

const DISPUTES = {
  dispute_announced: 'announced',
  charged_back: 'charged-back',
  chargeback_reversed: 'reversed',
  capture_failed: 'capture-failed',
} as const satisfies Partial<Record<AppliedCardChange['kind'], string>>

/** Returns nothing for a change that is no dispute. */
function disputeElement({ kind, amountMinor, detail, atMs }: AppliedCardChange) {
  const disputes: Partial<Record<typeof kind, (typeof DISPUTES)[keyof typeof DISPUTES]>> = DISPUTES
  const shown = disputes[kind]
  if (shown === undefined) return []
  const amount = amountMinor === undefined ? null : jsonAmount(amountMinor)
  return [{ kind: shown, amount, reason: detail ?? null, date: formatTimestamp(atMs) }]
}

function settlementElement(line: PaidOutLine): PaymentElement['settlements'][number] {
  return {
    kind: line.kind,
    result: line.result,
    installment: line.installment ?? null,
    gross: jsonSignedAmount(line.grossMinor),
    fee: jsonSignedAmount(line.feeMinor),
    net: jsonSignedAmount(line.netMinor),
    'date-paid-out': dayText(line.day),
  }
}
