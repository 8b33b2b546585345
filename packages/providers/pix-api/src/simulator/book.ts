import type { Clock, MedNature, MinorUnits } from '@cofre/contracts'
import type { RandomBytes } from '@cofre/provider-kit/simulator'
import type { BankAccount } from './account.js'
import type { Components } from './wire/dated-terms.js'
import type { DatedTerms } from './wire/dated-wire.js'
import type { ChargeTerms as TermsAtOnce } from './wire/wire.js'

/** Terms of an immediate charge, or of one with a due date. */
export type ChargeTerms = TermsAtOnce | DatedTerms

export type ChargeStatus =
  | 'ATIVA'
  | 'CONCLUIDA'
  | 'REMOVIDA_PELO_USUARIO_RECEBEDOR'
  | 'REMOVIDA_PELO_PSP'

/** The receiver of a charge, a payment or a webhook. */
export type Receiver = Pick<BankAccount, 'taxId' | 'name' | 'city'>

/** A charge between two changes. */
export interface Revision {
  readonly terms: ChargeTerms
  readonly status: ChargeStatus
}

export interface Charge {
  readonly receiver: Receiver
  readonly txid: string
  readonly createdMs: number
  readonly location: { readonly id: number; readonly address: string }
  /** The last one is in force; there is always one. */
  revisions: readonly [Revision, ...Revision[]]
  readonly payments: Payment[]
}

export interface Payment {
  readonly receiver: Receiver
  readonly endToEndId: string
  readonly txid?: string | undefined
  readonly amountMinor: MinorUnits
  /** The parts of the amount, if the payer paid what was owed on the day. */
  readonly components?: Components | undefined
  readonly pixKey: string
  readonly bookedMs: number
  readonly refunds: Refund[]
}

/** The initiator of a refund: the receiver, or the bank itself (MED). */
export type RefundNature = 'ORIGINAL' | MedNature

export interface Refund {
  readonly id: string
  readonly returnId: string
  readonly amountMinor: MinorUnits
  readonly nature: RefundNature
  readonly description?: string | undefined
  readonly requestedMs: number
  status: 'EM_PROCESSAMENTO' | 'DEVOLVIDO' | 'NAO_REALIZADO'
  settledMs?: number | undefined
  reason?: string | undefined
}

export interface Webhook {
  readonly receiver: Receiver
  readonly pixKey: string
  readonly url: string
  readonly createdMs: number
}

export interface Records {
  /** By `chargeId`: no charge is ever removed, as a txid is never reused. */
  readonly charges: Map<string, Charge>
  readonly payments: Map<string, Payment>
  /** By Pix key. */
  readonly webhooks: Map<string, Webhook>
}

/** An atomic change: all of it is written, or nothing. */
export interface Change {
  readonly charge?: Charge | undefined
  readonly payment?: Payment | undefined
  readonly webhook?: Webhook | undefined
  /** The Pix key of a removed webhook. */
  readonly removedWebhook?: string | undefined
}

export interface Book extends Records {
  readonly clock: Clock
  readonly randomBytes: RandomBytes
  readonly accounts: BankAccount[]
  /** Writes a change; it is durable when this returns. */
  save(change: Change): void
}

const ISPB = '99999999'
const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const CODE_LENGTH = 11

export function createRecords(): Records {
  return { charges: new Map(), payments: new Map(), webhooks: new Map() }
}

export function enter(records: Records, change: Change): void {
  const { charge, payment, webhook, removedWebhook } = change
  if (charge !== undefined) records.charges.set(chargeId(charge.receiver, charge.txid), charge)
  if (payment !== undefined) records.payments.set(payment.endToEndId, payment)
  if (webhook !== undefined) records.webhooks.set(webhook.pixKey, webhook)
  if (removedWebhook !== undefined) records.webhooks.delete(removedWebhook)
}

export function receiverOf({ taxId, name, city }: BankAccount): Receiver {
  return { taxId, name, city }
}

export function isOf(
  { receiver }: { readonly receiver: Receiver },
  { taxId }: Pick<BankAccount, 'taxId'>,
): boolean {
  return receiver.taxId === taxId
}

export function chargeId({ taxId }: Pick<BankAccount, 'taxId'>, txid: string): string {
  return `${taxId}/${txid}`
}

/** The id of a payment (`E…`) or of a refund (`D…`), 32 characters. */
export function newSettlementId({ clock, randomBytes }: Book, kind: 'E' | 'D'): string {
  const minute = new Date(clock.now()).toISOString().replaceAll(/\D/g, '').slice(0, 12)
  const code = Array.from(randomBytes(CODE_LENGTH), (byte) =>
    ALPHANUMERIC.charAt(byte % ALPHANUMERIC.length),
  )
  return `${kind}${ISPB}${minute}${code.join('')}`
}

export function isoTime(timeMs: number): string {
  return new Date(timeMs).toISOString()
}
