import { randomBytes } from 'node:crypto'
import type { TransactionStatus } from '@cofre/contracts'
import {
  type CreateTransactionRequest,
  MerchantApiError,
  type MerchantClient,
  type RefundOutcome,
  type SandboxClient,
} from '@cofre/merchant'
import { FIXED_SAVED_CARD, TEST_CARDS } from '@cofre/sandbox'
import { OperatorError } from '../../config/errors.js'
import type { CommandContext, Shown } from '../line/command.js'
import { type SandboxAddress, callSandbox } from './sandbox.js'

/** `cofre trigger`: causes events for a shop, with real requests to the sandbox. */
export const triggerCommand = { trigger }

type Charge = CreateTransactionRequest['charge'][0]
type CardInfo = Extract<Charge, { 'payment-info': unknown }>['payment-info']

/** Steps of an event: an order, the bank's reports on it, and its refund. */
interface Trigger {
  readonly charge: Charge
  readonly reports: readonly TransactionStatus[]
  readonly refund?: { readonly outcome: RefundOutcome; readonly amount?: number }
}

/** Its centavos select no outcome. */
const AMOUNT = 42.5
const PART = 10

const PIX: Charge = { amount: AMOUNT, 'payment-method': { type: 'eft', 'sub-type': 'pix' } }
const BOLETO: Charge = {
  amount: AMOUNT,
  'payment-method': { type: 'postpay', 'sub-type': 'boleto' },
}
/** Any store may charge this fixed card, unless its payers have their own. */
const SAVED_CARD = card({ installments: 1, code: FIXED_SAVED_CARD.code })

export const TRIGGERS: Readonly<Record<string, Trigger>> = {
  'pix.created': { charge: PIX, reports: [] },
  'pix.paid': { charge: PIX, reports: ['COMPLETE'] },
  'pix.expired': { charge: PIX, reports: ['EXPIRED'] },
  'boleto.created': { charge: BOLETO, reports: [] },
  'boleto.paid': { charge: BOLETO, reports: ['COMPLETE'] },
  'boleto.not-paid': { charge: BOLETO, reports: ['NOT-PAID'] },
  'card.approved': { charge: SAVED_CARD, reports: [] },
  'card.declined': { charge: rawCard('declined'), reports: [] },
  'card.under-review': { charge: rawCard('review'), reports: [] },
  'card.charged-back': { charge: SAVED_CARD, reports: ['CHARGEBACK'] },
  'refund.processed': { charge: PIX, reports: ['COMPLETE'], refund: { outcome: 'PROCESSED' } },
  'refund.partial': {
    charge: PIX,
    reports: ['COMPLETE'],
    refund: { outcome: 'PROCESSED', amount: PART },
  },
  'refund.rejected': { charge: PIX, reports: ['COMPLETE'], refund: { outcome: 'REJECTED' } },
}

function card(info: CardInfo): Charge {
  const method = { 'payment-method': { type: 'credit-card' }, 'payment-info': info } as const
  return { amount: AMOUNT, currency: 'BRL', ...method }
}

/** The first test card of an outcome. */
function rawCard(outcome: 'approved' | 'declined' | 'review'): Charge {
  const { number = '' } = TEST_CARDS.find((testCard) => testCard.outcome === outcome) ?? {}
  const credentials = { number, cvv: '123', 'expiration-date': '2040-12' }
  return card({ installments: 1, 'credit-card': credentials })
}

interface TriggerInput extends SandboxAddress {
  readonly event: string
  /** Address for notifications; the panel's receiver of the store if absent. */
  readonly notify?: URL
}

interface Clients {
  readonly sandbox: SandboxClient
  readonly merchant: MerchantClient
}

async function trigger(context: CommandContext, input: TriggerInput): Promise<Shown> {
  const { event, notify } = input
  const asked = TRIGGERS[event]
  if (asked === undefined) throw new OperatorError(`there is no event ${event}`)
  const reference = `${event}-${randomBytes(4).toString('hex')}`
  const data = await callSandbox(context, input, async (sandbox, merchant) => {
    // Production has no clock, so this stops the command before it creates anything.
    await sandbox.clock()
    const url = notify?.href ?? (await sandbox.receiverUrl())
    return await make({ sandbox, merchant }, asked, { reference, url })
  })
  const refund = 'refund-id' in data ? `, its refund ${data['refund-id']} ${data.refund}` : ''
  const text = `Transaction ${data['transaction-code']} is ${data.status}${refund}. Its notifications go to ${data['notification-url']}.\n`
  return { data: { event, ...data }, text }
}

interface OrderTarget {
  readonly reference: string
  readonly url: string
}

/** Creates an order, simulates the bank's reports, and refunds the order if the trigger does. */
async function make(
  { sandbox, merchant }: Clients,
  { charge, reports, refund }: Trigger,
  { reference, url }: OrderTarget,
) {
  const created = await create(merchant, charge, { reference, url })
  const code = created.transaction.code
  for (const status of reports) await sandbox.setStatus(code, status)
  // "slow" leaves the end of the refund to the later report.
  const refundId =
    refund &&
    (await merchant.createRefund({
      'transaction-id': code,
      'notify-url': url,
      reference: `slow-${reference}`,
      ...(refund.amount !== undefined && { amount: refund.amount }),
    }))
  if (refund !== undefined && refundId !== undefined)
    await sandbox.finishRefund(refundId, refund.outcome)
  const { status } = await merchant.findTransaction(code)
  return {
    'transaction-code': code,
    status,
    reference,
    'notification-url': url,
    ...(refund !== undefined && { 'refund-id': refundId, refund: refund.outcome }),
  }
}

const NOT_AVAILABLE = 210601
const NO_SUCH_SAVED_CARD = 210605

/** @throws OperatorError for a card that the store may not send */
async function create(merchant: MerchantClient, charge: Charge, made: OrderTarget) {
  const createWith = (paid: Charge) => merchant.createTransaction(orderOf(paid, made))
  try {
    return await createWith(charge).catch((error: unknown) => {
      if (!isRefused(error, NO_SUCH_SAVED_CARD)) throw error
      return createWith(rawCard('approved'))
    })
  } catch (error) {
    if (!isRefused(error, NOT_AVAILABLE)) throw error
    throw new OperatorError(
      'this store may not send card numbers: buy with the test card in a shop, or ask Cofre’s operator to allow it (cofre store set)',
      { cause: error },
    )
  }
}

function isRefused(error: unknown, code: number): boolean {
  return error instanceof MerchantApiError && error.hasCode(code)
}

function orderOf(charge: Charge, { reference, url }: OrderTarget): CreateTransactionRequest {
  return {
    transaction: {
      reference,
      country: 'BR',
      currency: 'BRL',
      'checkout-type': 'direct',
      'notification-url': url,
      language: 'pt-BR',
    },
    charge: [charge],
    payer: {
      name: 'Maria da Silva',
      email: 'maria@example.com',
      'birth-date': '1990-01-31',
      'phone-number': '+5541988887777',
      ip: '203.0.113.9',
      document: { type: 'CPF', number: '52998224725' },
      // Banks register no boleto without an address.
      address: {
        street: 'Rua XV de Novembro',
        number: '100',
        district: 'Centro',
        city: 'Curitiba',
        state: 'PR',
        country: 'BR',
        'zip-code': '80020310',
      },
    },
    cart: [{ quantity: 1, description: 'Café', 'unit-price': charge.amount, type: 'digital' }],
  }
}
