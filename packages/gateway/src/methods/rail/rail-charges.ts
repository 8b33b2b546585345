// Charges that the payment rails open: a wallet's, and the sandbox's own boletos and PIX.
import { DAY_MS, HOUR_MS } from '@cofre/contracts'
import type { PaymentMethod } from '../../method/payment-method.js'
import { boletoBarcode, digitableLine, pixCode } from '@cofre/provider-kit/bank'
import { boletoDeadlineMs, dayInBrasilia } from '../../model/calendar/brazilian-calendar.js'
import { BOLETO_PAYMENT, PIX_PAYMENT } from '../../model/payment-rail/payment-kinds.js'
import type { PaymentRails, RailOrder } from '../../model/payment-rail/payment-rails.js'
import type { StoredRequest } from '../../model/transaction/stored-request.js'
import type { WaitingDetails } from '../../model/transaction/payment-details.js'
import type { Transaction } from '../../model/transaction/transaction.js'

/** A charge that its payer can pay until it lapses (specification, decision 3 of section 10). */
export interface RailCharge {
  readonly details: WaitingDetails
  readonly expiresAtMs: number
}

/** The differences between the methods of the rails. */
export interface RailCharges extends Pick<PaymentMethod, 'type' | 'unpaidStatus' | 'isGivenLater'> {
  /** @throws Error if the bank or wallet does not answer */
  readonly open: (
    rails: PaymentRails,
    intent: Transaction,
    request: StoredRequest,
  ) => Promise<RailCharge>
}

const PIX_LIFETIME_MS = DAY_MS
const WALLET_LIFETIME_MS = HOUR_MS

export const pixCharges: RailCharges = {
  ...PIX_PAYMENT,
  async open(rails, intent, request) {
    const charge = await rails.openPixCharge(railOrder(intent, request))
    return {
      details: { kind: 'pix', code: pixCode({ ...charge, amountMinor: intent.amountMinor }) },
      expiresAtMs: intent.createdAtMs + PIX_LIFETIME_MS,
    }
  },
}

/** @param boletoDays - Days from the creation of a boleto to its due date. */
export function boletoCharges(boletoDays: number): RailCharges {
  return {
    ...BOLETO_PAYMENT,
    async open(rails, intent, request) {
      const order = railOrder(intent, request)
      const dueDate = dayInBrasilia(intent.createdAtMs, boletoDays)
      const registered = await rails.registerBoleto(order, dueDate)
      const barcode = boletoBarcode({ ...registered, dueDate, amountMinor: intent.amountMinor })
      const { payerName } = order
      const line = digitableLine(barcode)
      return {
        details: { kind: 'boleto', barcode, digitableLine: line, dueDate, payerName },
        expiresAtMs: boletoDeadlineMs(dueDate),
      }
    },
  }
}

export const walletCharges: RailCharges = {
  type: 'e-wallet',
  unpaidStatus: 'EXPIRED',
  isGivenLater: false,
  async open(rails, intent, request) {
    const urls = request.transaction?.['redirect-urls']
    if (urls === undefined) throw new Error('a valid wallet request names its redirect URLs')
    const redirects = { successUrl: urls.success, failUrl: urls.fail }
    const wallet = intent.subType ?? ''
    const order = { ...railOrder(intent, request), ...redirects, wallet }
    const { paymentUrl } = await rails.openWallet(order)
    return {
      details: { kind: 'wallet', paymentUrl, ...redirects },
      expiresAtMs: intent.createdAtMs + WALLET_LIFETIME_MS,
    }
  },
}

function railOrder(intent: Transaction, { payer }: StoredRequest): RailOrder {
  if (payer === undefined) throw new Error('no open intent is without its payer')
  return {
    merchantId: intent.merchantId,
    transactionCode: String(intent.code),
    publicId: intent.publicId,
    amountMinor: intent.amountMinor,
    payerName: payer.name,
    payerDocument: intent.payerDocument,
  }
}
