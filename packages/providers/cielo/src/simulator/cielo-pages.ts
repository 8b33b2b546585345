import type { Hono } from 'hono'
import { z } from 'zod'
import {
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
import { STATUS, type Sale, type Status, statusOf, voidableOf } from './book.js'
import type { Cielo } from './cielo.js'
import type { Controls } from './controls.js'
import { expireIfDue } from './sales.js'
import { DIGIT_RULES } from './sandbox-rules.js'

const CHOICES = {
  ...COMMON_CHOICES,
  refunds: ['from-next-day', 'at-once', 'no-balance', 'not-settled', 'done-unsaid'],
  queryLagMs: ['0', '60000', '600000'],
} as const
const conditionsSchema = z.object({
  ...COMMON_SHAPE,
  refunds: z.enum(CHOICES.refunds),
  queryLagMs: z.enum(CHOICES.queryLagMs).transform(Number),
})
const STATES = {
  [STATUS.notFinished]: 'pending',
  [STATUS.pending]: 'pending',
  [STATUS.authorized]: 'authorised',
  [STATUS.confirmed]: 'captured',
  [STATUS.denied]: 'refused',
  [STATUS.aborted]: 'refused',
  [STATUS.voided]: 'cancelled',
  [STATUS.refunded]: 'refunded',
} as const satisfies Record<Status, ShownPayment['state']>

interface CieloPages {
  readonly cielo: Cielo
  readonly url: () => string
  /** Runs after each change of its behaviour. */
  readonly applied: () => void
}

export function createCieloPages({ cielo, url, applied }: CieloPages): Hono<PageEnv> {
  const { book, conditions, controls, notices } = cielo
  const acquirer: ShownAcquirer = {
    name: 'Cielo',
    cookie: 'cofre_cielo',
    rulesAre: 'digit',
    rules: DIGIT_RULES.map(({ digits, answer }) => ({ given: digits, answer })),
    ...behaviourOf({
      names: ['notices', 'refunds', 'queryLagMs', 'delayMs', 'connection', 'links'],
      choices: CHOICES,
      schema: conditionsSchema,
      conditions,
      applied,
    }),
    payments: () =>
      [...book.sales.values()].toReversed().map((sale) => showSale(expireIfDue(book, sale))),
    attempts: () => notices.attempts,
    act(payment, action) {
      act(controls, payment, action)
    },
    refund(payment, amountMinor) {
      controls.refundAtAcquirer(payment, amountMinor)
    },
    actOn({ payment }, action) {
      refuseVoid(controls, payment, action)
    },
  }
  return createAcquirerPages({ acquirer, url })
}

function act(controls: Controls, id: string, action: PaymentAction): void {
  switch (action) {
    case 'authorise':
      controls.endSale(id, 'authorized')
      return
    case 'refuse':
      controls.endSale(id, 'denied')
      return
    case 'charge-back':
      controls.chargeBack(id)
      return
    case 'reverse-chargeback':
      controls.reverseChargeback(id)
      return
    case 'fraud-alert':
      controls.alertOfFraud(id)
      return
    case 'notice':
      controls.notify(id)
      return
    case 'expire':
      controls.expire(id)
      return
    case 'fail-capture':
      throw new RangeError('at Cielo a capture is answered at once')
  }
}

function refuseVoid(controls: Controls, id: string, action: EntryAction): void {
  if (action !== 'fail') throw new RangeError('at Cielo a refund is answered at once')
  controls.refuseVoid(id)
}

function showSale(sale: Sale): ShownPayment {
  const { decision } = sale
  const status = statusOf(sale)
  return {
    id: sale.paymentId,
    reference: sale.merchantOrderId,
    amountMinor: sale.amountMinor,
    installments: sale.installments,
    card: sale.card,
    createdMs: sale.receivedMs,
    state: sale.expiredMs === undefined ? STATES[status] : 'expired',
    detail: [`Status ${status}`, decision.returnCode, decision.returnMessage]
      .filter(Boolean)
      .join(' · '),
    entries: entriesOf(sale),
    actions: actionsOf(sale, status),
    refundableMinor: status === STATUS.confirmed ? voidableOf(sale) : 0,
  }
}

function actionsOf({ chargebacks }: Sale, status: Status): readonly PaymentAction[] {
  if (STATES[status] === 'pending') return ['authorise', 'refuse']
  if (status === STATUS.authorized) return ['expire', 'notice']
  const isDisputed = chargebacks.some(({ state }) => state === 'Received')
  return [
    ...(status === STATUS.confirmed ? (['charge-back', 'fraud-alert'] as const) : []),
    ...(isDisputed ? (['reverse-chargeback'] as const) : []),
    'notice',
  ]
}

function entriesOf({ captured, voids, chargebacks }: Sale): readonly ShownEntry[] {
  const last = voids.findLast(({ state }) => state === 'done')
  return [
    ...(captured === undefined
      ? []
      : [{ ...captured, id: 'capture', kind: 'capture', state: 'done', actions: [] } as const]),
    ...voids.map((item, index) => ({
      id: `void-${index + 1}`,
      kind: captured === undefined ? ('cancel' as const) : ('refund' as const),
      amountMinor: item.amountMinor,
      state: item.state,
      actions: item === last && captured !== undefined ? (['fail'] as const) : [],
    })),
    ...chargebacks.map(({ amountMinor, caseNumber, state }) => ({
      id: caseNumber,
      kind: 'chargeback' as const,
      amountMinor,
      state: state === 'Received' ? ('done' as const) : ('reversed' as const),
      actions: [],
    })),
  ]
}
