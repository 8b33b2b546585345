import type { Hono } from 'hono'
import { z } from 'zod'
import {
  type ShownChallenges,
  createAcquirerPages,
  COMMON_CHOICES,
  COMMON_SHAPE,
  behaviourOf,
  type EntryAction,
  type PaymentAction,
  type ShownAcquirer,
  type ShownEntry,
  type ShownPayment,
  type PageEnv,
} from '@cofre/provider-kit/simulator'
import type { Adyen } from './adyen.js'
import {
  type Modification,
  type Payment,
  capturedOf,
  refundableOf,
  modificationsInForce,
} from './book.js'
import { answerChallenge, findChallenge, returnAddressOf } from './challenges.js'
import type { Controls } from './controls.js'
import { CHALLENGED_CARD, OUTCOME_NAMES } from './outcomes.js'
import { settlementReport } from './settlement-report.js'

const CHOICES = { ...COMMON_CHOICES, refunds: ['settled', 'held'] } as const
const conditionsSchema = z.object({ ...COMMON_SHAPE, refunds: z.enum(CHOICES.refunds) })

interface AdyenPages {
  readonly adyen: Adyen
  readonly url: () => string
  /** Runs after each change of its behaviour. */
  readonly applied: () => void
}

export function createAdyenPages({ adyen, url, applied }: AdyenPages): Hono<PageEnv> {
  const { book, conditions, controls, notices } = adyen
  const acquirer: ShownAcquirer = {
    name: 'Adyen',
    cookie: 'cofre_adyen',
    rulesAre: 'name',
    rules: [
      ...OUTCOME_NAMES.map(({ name, answer }) => ({ given: name.replaceAll('_', ' '), answer })),
      { given: CHALLENGED_CARD, answer: 'RedirectShopper' },
    ],
    ...behaviourOf({
      names: ['notices', 'refunds', 'delayMs', 'connection', 'links'],
      choices: CHOICES,
      schema: conditionsSchema,
      conditions,
      applied,
    }),
    payments: () => [...book.payments.values()].toReversed().map(showPayment),
    attempts: () => notices.attempts,
    settlementReport: () => settlementReport(book),
    act(payment, action) {
      act(controls, payment, action)
    },
    refund(payment, amountMinor) {
      controls.refundAtAcquirer(payment, amountMinor)
    },
    actOn({ id }, action) {
      actOnRefund(controls, id, action)
    },
  }
  return createAcquirerPages({ acquirer, url, challenges: challengesOf(adyen) })
}

function challengesOf({ book, ledger }: Adyen): ShownChallenges {
  return {
    find(id) {
      const found = findChallenge(book, id)
      return (
        found && {
          id,
          amountMinor: found.payment.amountMinor,
          reference: found.payment.reference,
          returnAddress:
            found.challenge.answer === undefined ? undefined : returnAddressOf(found.challenge),
        }
      )
    },
    answer(id, answer) {
      answerChallenge(ledger, id, answer)
    },
  }
}

function act(controls: Controls, id: string, action: PaymentAction): void {
  switch (action) {
    case 'authorise':
      controls.endPayment(id, 'authorised')
      return
    case 'refuse':
      controls.endPayment(id, 'refused')
      return
    case 'expire':
      controls.expire(id)
      return
    case 'fail-capture':
      controls.failCapture(id)
      return
    case 'charge-back':
      controls.chargeBack(id)
      return
    case 'reverse-chargeback':
      controls.reverseChargeback(id)
      return
    case 'notice':
      controls.send(controls.eventsOf(id).slice(-1))
      return
    case 'fraud-alert':
      throw new RangeError('Adyen tells no such alert here')
  }
}

function actOnRefund(controls: Controls, id: string, action: EntryAction): void {
  switch (action) {
    case 'settle':
      controls.endRefund(id, 'done')
      return
    case 'refuse':
      controls.endRefund(id, 'refused')
      return
    case 'fail':
      controls.undoRefund(id, 'failed')
      return
    case 'reverse':
      controls.undoRefund(id, 'reversed')
      return
  }
}

function showPayment(payment: Payment): ShownPayment {
  const { outcome } = payment
  const isAsked = payment.state === 'authenticating'
  const refusal = 'refusal' in outcome ? outcome.refusal : undefined
  return {
    id: payment.pspReference,
    reference: payment.reference,
    amountMinor: payment.amountMinor,
    installments: payment.installments,
    card: payment.card,
    createdMs: payment.createdMs,
    state: stateOf(payment),
    detail: [isAsked ? 'RedirectShopper' : outcome.resultCode, refusal?.reason, refusal?.raw]
      .filter(Boolean)
      .join(' · '),
    entries: [...payment.modifications.map(showModification), ...chargebacksOf(payment)],
    actions: actionsOf(payment),
    refundableMinor: payment.state === 'authorised' ? refundableOf(payment) : 0,
  }
}

function stateOf(payment: Payment): ShownPayment['state'] {
  if (payment.state === 'authenticating') return 'pending'
  if (payment.state !== 'authorised' || capturedOf(payment) === 0) return payment.state
  return refundableOf(payment) === 0 ? 'refunded' : 'captured'
}

function actionsOf(payment: Payment): readonly PaymentAction[] {
  if (payment.state === 'authenticating') return []
  if (payment.state === 'pending') return ['authorise', 'refuse']
  const isDisputed = payment.chargebacks.some(({ state }) => state === 'lost')
  return [
    ...(payment.state === 'authorised' && modificationsInForce(payment, 'capture').length === 0
      ? (['expire'] as const)
      : []),
    ...(capturedOf(payment) > 0 ? (['fail-capture', 'charge-back'] as const) : []),
    ...(isDisputed ? (['reverse-chargeback'] as const) : []),
    'notice',
  ]
}

function showModification({ pspReference, ...modification }: Modification): ShownEntry {
  return { ...modification, id: pspReference, actions: entryActionsOf(modification) }
}

function entryActionsOf({ kind, state }: Pick<Modification, 'kind' | 'state'>) {
  if (kind !== 'refund') return []
  if (state === 'received') return ['settle', 'refuse'] as const
  return state === 'done' ? (['fail', 'reverse'] as const) : []
}

function chargebacksOf({ chargebacks }: Payment): readonly ShownEntry[] {
  return chargebacks.map(({ pspReference, amountMinor, state }) => ({
    id: pspReference,
    kind: 'chargeback',
    amountMinor,
    state: state === 'lost' ? 'done' : 'reversed',
    actions: [],
  }))
}
