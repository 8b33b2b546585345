import type { Environment, MinorUnits } from '@cofre/contracts'
import {
  type AppliedCardChange,
  type NotificationDetails,
  type Refund,
  type RefundNote,
  type Transaction,
  capturedSums,
} from '@cofre/gateway/room'
import type { TransactionDetails } from '../../model/payment-file.js'
import type { Act, NamedActor } from '@cofre/panel/page'

type Capture = NonNullable<Transaction['capture']>
type Status = TransactionDetails['history'][number]['status']

/** An event in a payment's history. */
export type HistoryEntry = { readonly atMs: number } & (
  | { readonly kind: 'created' | 'status'; readonly status: Status }
  | {
      readonly kind: 'refund-asked'
      readonly refund: Refund
      readonly note?: RefundNote
      /** From the log of acts. */
      readonly requestedBy?: NamedActor | undefined
    }
  | { readonly kind: 'refund-ended'; readonly refund: Refund }
  /** At its last attempt or, without one, at its creation. */
  | { readonly kind: 'notification'; readonly details: NotificationDetails }
  | { readonly kind: 'card-change'; readonly change: AppliedCardChange }
  | {
      readonly kind: 'authorized'
      readonly amountMinor: MinorUnits
      readonly beforeMs: number
    }
  | { readonly kind: 'captured'; readonly amountMinor: MinorUnits }
  | { readonly kind: 'released'; readonly by: NonNullable<Capture['releasedBy']> }
  | { readonly kind: 'act'; readonly act: Act }
)

/** The history of a payment, with every actor, oldest first. */
export function paymentHistory(
  details: TransactionDetails,
  acts: readonly Act[],
  environment: Environment,
): readonly HistoryEntry[] {
  const entries: HistoryEntry[] = [
    ...details.history.map(({ status, atMs }, i) => {
      const kind = i === 0 ? ('created' as const) : ('status' as const)
      return { kind, status, atMs }
    }),
    ...details.refunds.flatMap((refund) => refundEntries(refund, details, acts)),
    ...details.notifications.map((one) => ({
      kind: 'notification' as const,
      details: one,
      atMs: one.attempts.at(-1)?.atMs ?? one.notification.createdAtMs,
    })),
    ...captureEntries(details.transaction),
    ...details.cardChanges
      .filter((change) => !isEndOf(details.transaction, change))
      .map((change) => ({ kind: 'card-change' as const, change, atMs: change.atMs })),
    ...acts
      // The log has the acts of both environments, and a refund itself names its requester.
      .filter((act) => act.environment === environment && !isBegunRefund(act))
      .map((act) => ({ kind: 'act' as const, act, atMs: act.atMs })),
  ]
  return entries.toSorted((one, other) => one.atMs - other.atMs)
}

function captureEntries(transaction: Transaction): readonly HistoryEntry[] {
  const { amountMinor, capture, paidAtMs, statusChangedAtMs } = transaction
  if (capture === undefined) return []
  const { authorizedAtMs: atMs, beforeMs, releasedBy: by } = capture
  const authorized = { kind: 'authorized', amountMinor, beforeMs, atMs } as const
  switch (capture.state) {
    case 'authorized':
      return [authorized]
    case 'captured': {
      const captured = { kind: 'captured', ...capturedSums(transaction) } as const
      return [authorized, { ...captured, atMs: paidAtMs ?? statusChangedAtMs }]
    }
    case 'released':
      return by === undefined
        ? [authorized]
        : [authorized, { kind: 'released', by, atMs: statusChangedAtMs }]
  }
}

/** True for the acquirer's report of the end that the payment itself has. */
function isEndOf({ capture }: Transaction, { amountMinor, kind }: AppliedCardChange): boolean {
  return kind === capture?.state && amountMinor === capture.chargedMinor
}

function isBegunRefund({ action, outcome }: Act): boolean {
  return action === 'refund:create' && outcome === 'done'
}

function refundEntries(
  refund: Refund,
  { refundNotes }: TransactionDetails,
  acts: readonly Act[],
): readonly HistoryEntry[] {
  const { id, processedAtMs, requestedAtMs } = refund
  const note = refundNotes.get(id)
  return [
    {
      kind: 'refund-asked',
      refund,
      atMs: requestedAtMs,
      ...(note !== undefined && { note, requestedBy: requesterOf(note, requestedAtMs, acts) }),
    },
    ...(processedAtMs === undefined
      ? []
      : [{ kind: 'refund-ended' as const, refund, atMs: processedAtMs }]),
  ]
}

/** The log records an act before it is done: the actor's latest name by then. */
function requesterOf(
  { actor }: RefundNote,
  requestedAtMs: number,
  acts: readonly Act[],
): NamedActor | undefined {
  const own = acts.filter((act) => act.actor === actor)
  return own.findLast(({ atMs }) => atMs <= requestedAtMs) ?? own[0]
}
