import { MINUTE_MS, type TransactionStatus, formatAmount, maskedCard } from '@cofre/contracts'
import { createBankPageParts } from '@cofre/banks'
import { type Transaction, capturedSums } from '@cofre/gateway'
import { createNotificationRecord } from '@cofre/notifications'
import {
  type TransactionDetails,
  type UnderReview,
  createOperatorView,
  findPayment,
  createUnderReview,
} from '@cofre/operator'
import { SetupError } from '../../config/errors.js'
import { DATABASES } from '../../installation/databases.js'
import {
  counted,
  type CommandContext,
  type InEnvironment,
  type Shown,
  gatewayConfig,
  table,
  timeOrNull,
  timeText,
  sandboxOption,
} from '../line/command.js'
import { environmentNowMs } from '../line/environment-time.js'

interface ListOptions extends InEnvironment {
  readonly status?: TransactionStatus
  readonly store?: string
  readonly reference?: string
  readonly olderThan: number
}

/** A person reads at most a page of text. */
const LISTED_MAX = 100

/** `cofre transactions list` and `show`: any transaction of any store. */
export const findTransactionsCommands = {
  'transactions list': list,
  'transactions show': show,
}

async function list(context: CommandContext, options: ListOptions): Promise<Shown> {
  const { status, store, reference, olderThan, environment } = options
  const config = await gatewayConfig(context)
  const nowMs = await environmentNowMs(context, config, options)
  const sinceMs = nowMs - olderThan
  if (status === 'UNDER-REVIEW' && store === undefined && reference === undefined)
    return await DATABASES[environment].use(config, (database) =>
      listUnderReview(createUnderReview(database), { nowMs, sinceMs, environment }),
    )
  const found = await DATABASES[environment].use(config, (database) =>
    createOperatorView(database).list({
      status,
      merchantId: store,
      reference,
      sinceMs,
      limit: LISTED_MAX,
    }),
  )
  const transactions = found.map(summaryOf)
  const isAny =
    [status, store, reference].every((filter) => filter === undefined) && olderThan === 0
  const what = isAny ? 'transactions' : 'such transactions'
  const sum =
    transactions.length < LISTED_MAX
      ? `${transactions.length} ${what} in ${environment}, the newest first.\n`
      : `The ${LISTED_MAX} newest ${what} in ${environment}.\n`
  const text =
    transactions.length === 0
      ? `No ${what} in ${environment}.\n`
      : `${tableOf(transactions, nowMs)}\n\n${sum}`
  return { data: { status: status ?? null, environment, transactions }, text }
}

interface ListedReview extends InEnvironment {
  readonly nowMs: number
  readonly sinceMs: number
}

/** Longest first: a person must resolve them. */
async function listUnderReview(
  store: UnderReview,
  { nowMs, sinceMs, environment }: ListedReview,
): Promise<Shown> {
  const status = 'UNDER-REVIEW'
  const transactions = (await store.find(sinceMs, LISTED_MAX)).map(summaryOf)
  const { answer, review } = await store.count()
  // The count of all, including those not listed.
  const all = answer.count + review.count
  const those = `${counted(all, 'transaction')} that ${all === 1 ? 'is' : 'are'} ${status}`
  const sum = `${transactions.length} of the ${those} in ${environment}.\n`
  const none = all === 0 ? `No transactions are ${status} in ${environment}.\n` : sum
  const text = transactions.length === 0 ? none : `${tableOf(transactions, nowMs)}\n\n${sum}`
  return { data: { status, environment, all, transactions }, text }
}

function summaryOf(transaction: Transaction) {
  return {
    code: String(transaction.code),
    store: transaction.merchantId,
    reference: transaction.reference,
    amount: formatAmount(capturedSums(transaction).chargedMinor),
    status: transaction.status,
    since: timeText(transaction.statusChangedAtMs),
    waitsFor: waitsFor(transaction),
  }
}

/** Cofre itself asks for a missing answer; a review is the acquirer's. */
function waitsFor({ open, status }: Transaction): 'answer' | 'review' | null {
  if (open) return 'answer'
  return status === 'UNDER-REVIEW' ? 'review' : null
}

function tableOf(transactions: readonly ReturnType<typeof summaryOf>[], nowMs: number): string {
  const rows = transactions.map((transaction) => [
    transaction.code,
    transaction.store,
    transaction.reference,
    transaction.amount,
    transaction.status,
    transaction.since,
    `${Math.floor((nowMs - Date.parse(transaction.since)) / MINUTE_MS)} min`,
    transaction.waitsFor,
  ])
  const headings = ['Code', 'Store', 'Reference', 'Amount', 'Status', 'Since', 'For', 'Waits for']
  return table(headings, rows)
}

interface ShowOptions extends InEnvironment {
  readonly code: string
}

async function show(context: CommandContext, { code, environment }: ShowOptions): Promise<Shown> {
  const config = await gatewayConfig(context)
  const found = await DATABASES[environment].use(config, (database) =>
    findPayment(
      {
        database,
        notifications: createNotificationRecord(database),
        ofRooms: createBankPageParts(database),
      },
      code,
    ),
  )
  if (found === undefined)
    throw new SetupError(
      `There is no transaction ${code} in ${environment}`,
      `see cofre transactions list${sandboxOption(environment)}`,
    )
  const data = { environment, ...shownDetails(found) }
  return { data, text: transactionText(data) }
}

/** Everything except the payer's own address and the order as received. */
function shownDetails(details: TransactionDetails) {
  const { transaction, history, refunds, notifications, bankCharge, cardChanges } = details
  const { paymentDetails: paid, cardBin: bin, cardLastFour: lastFour } = transaction
  const card = paid?.kind === 'card' ? paid : undefined
  return {
    ...summaryOf(transaction),
    ordered: formatAmount(transaction.amountMinor),
    capture: captureOf(transaction),
    method: transaction.paymentType,
    subType: transaction.subType ?? null,
    installments: transaction.installments,
    card: bin === undefined || lastFour === undefined ? null : maskedCard(bin, lastFour),
    savedCard: transaction.savedCard?.code ?? null,
    payer: { email: transaction.payerEmail, document: transaction.payerDocument },
    created: timeText(transaction.createdAtMs),
    paid: timeOrNull(transaction.paidAtMs),
    expires: timeOrNull(transaction.expiresAtMs),
    charge: card?.charge ?? null,
    decline: card?.decline ?? null,
    history: history.map(({ status, atMs }) => ({ at: timeText(atMs), status })),
    refunds: refunds.map((refund) => ({
      id: String(refund.id),
      status: refund.status,
      amount: formatAmount(refund.amountMinor),
      reference: refund.reference ?? null,
      nature: refund.nature ?? null,
      requested: timeText(refund.requestedAtMs),
      ended: timeOrNull(refund.processedAtMs),
    })),
    notifications: notifications.map(({ notification, state, nextAttemptAtMs, attempts }) => ({
      position: notification.position,
      status: notification.status,
      refund: notification.refundId === undefined ? null : String(notification.refundId),
      created: timeText(notification.createdAtMs),
      state,
      attempts: attempts.length,
      lastAnswer: lastAnswerOf(attempts.at(-1)),
      next: timeOrNull(nextAttemptAtMs),
    })),
    pix: bankCharge === undefined ? null : shownPix(bankCharge),
    changes: cardChanges.map(({ kind, atMs, amountMinor, detail }) => ({
      at: timeText(atMs),
      kind,
      amount: amountMinor === undefined ? null : formatAmount(amountMinor),
      detail: detail ?? null,
    })),
  }
}

type Attempt = TransactionDetails['notifications'][number]['attempts'][number]

function lastAnswerOf(attempt: Attempt | undefined): string | null {
  return attempt === undefined ? null : String(attempt.statusCode ?? attempt.error)
}

function shownPix({
  accountId,
  name,
  state,
  payments,
}: NonNullable<TransactionDetails['bankCharge']>) {
  return {
    account: accountId,
    txid: name,
    state,
    payments: payments.map((payment) => ({
      endToEndId: payment.endToEndId,
      amount: formatAmount(payment.amountMinor),
      paid: timeOrNull(payment.paidAtMs),
      purpose: payment.purpose,
      refund: payment.refundStatus ?? null,
    })),
  }
}

function captureOf({ capture }: Transaction) {
  if (capture === undefined) return null
  const { amountMinor, beforeMs, releasedBy = null, state } = capture
  const amount = amountMinor === undefined ? null : formatAmount(amountMinor)
  return { state, before: timeText(beforeMs), amount, releasedBy }
}

function captureText({ state, before, amount, releasedBy }: ReturnType<typeof captureOf> & {}) {
  switch (state) {
    case 'authorized':
      return `authorized, to be captured before ${before}`
    case 'captured':
      return `captured ${amount ?? ''}`
    case 'released':
      return `released: ${releasedBy ?? ''}`
  }
}

type Data = InEnvironment & ReturnType<typeof shownDetails>

function transactionText(data: Data): string {
  const { charge, decline, pix, refunds, notifications, changes } = data
  const facts = [
    ['Store', data.store],
    ['Reference', data.reference],
    ['Status', `${data.status} since ${data.since}`],
    ['Waits for', data.waitsFor],
    [
      'Amount',
      data.ordered === data.amount ? data.amount : `${data.ordered}, charged ${data.amount}`,
    ],
    ['Capture', data.capture && captureText(data.capture)],
    ['Method', methodText(data)],
    ['Saved card', data.savedCard],
    ['Payer', `${data.payer.email} ${data.payer.document}`],
    ['Created', data.created],
    ['Paid', data.paid],
    ['Expires', data.expires],
    ['Account', charge && `${charge.accountId} (${charge.provider})`],
    ['Payment', charge?.paymentId],
    ['NSU', charge?.nsu],
    ['Declined', decline && [decline.reason, decline.code].filter(Boolean).join(', ')],
    ['PIX', pix && `${pix.txid} at ${pix.account}, ${pix.state}`],
  ].flatMap(([name, value]) => (value ? [`  ${(name ?? '').padEnd(11)} ${value}\n`] : []))
  return [
    `Transaction ${data.code} in ${data.environment}\n`,
    ...facts,
    section('History', ['At', 'Status'], data.history),
    section(
      'Refunds',
      ['Id', 'Status', 'Amount', 'Reference', 'Nature', 'Requested', 'Ended'],
      refunds,
    ),
    section(
      'Notifications',
      ['No.', 'Status', 'Refund', 'Created', 'Is', 'Attempts', 'Last answer', 'Next'],
      notifications,
    ),
    section('Paid by PIX', ['End to end', 'Amount', 'Paid', 'Is', 'Refund'], pix?.payments ?? []),
    section('Reported by the acquirer', ['At', 'What', 'Amount', 'Words'], changes),
  ].join('')
}

function methodText({ method, subType, card, installments }: Data): string {
  const times = installments === 1 ? undefined : `${installments} installments`
  return [method, subType, card, times].filter(Boolean).join(', ')
}

/** A table of the rows, if any; the columns have the order of the rows' fields. */
function section(
  title: string,
  headings: readonly string[],
  rows: readonly Readonly<Record<string, string | number | null>>[],
): string {
  if (rows.length === 0) return ''
  return `\n${title}\n${table(headings, rows.map(Object.values))}\n`
}
