import { type Answer, type Brand, type MinorUnits, drawText } from '@cofre/contracts'
import type { PixBankPayment, PixBankRefund, PixRefundName, PixRefundOrder } from './pix-bank.js'

/** Our name of a boleto at its bank, its `seuNumero`: unique forever. */
export type BoletoName = Brand<string, 'BoletoName'>

const NAME_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
/** The length of the shortest field, Inter's. */
const NAME_LENGTH = 15

/** 75 random bits. Not derived from our own codes, which a restored database draws again. */
export function drawBoletoName(randomBelow: (limit: number) => number): BoletoName {
  return drawText(NAME_ALPHABET, NAME_LENGTH, randomBelow) as BoletoName
}

/** The debtor of a charge. */
export type ChargePayer = Pick<BoletoPayer, 'name' | 'document'> & Partial<BoletoPayer>

/** The debtor of a boleto. Banks register no boleto without an address. */
export interface BoletoPayer {
  readonly name: string
  /** CPF or CNPJ, without punctuation. */
  readonly document: string
  readonly email: string
  readonly address: BoletoPayerAddress
}

export interface BoletoPayerAddress {
  readonly street: string
  readonly number: string
  readonly complement: string | undefined
  readonly district: string
  readonly city: string
  /** Two letters. */
  readonly state: string
  /** Eight digits. */
  readonly postalCode: string
}

/** A boleto to register at a bank. */
export interface BoletoOrder {
  readonly name: BoletoName
  readonly amountMinor: MinorUnits
  /** `YYYY-MM-DD` */
  readonly dueDate: string
  /** Days after the due date in which it can be paid. */
  readonly payableDays: number
  readonly payer: BoletoPayer
  /** Shown to the payer; the bank may cut it. */
  readonly description: string
}

/** Identifies a boleto at its bank. */
export interface BoletoReference {
  readonly name: BoletoName
  /** The bank's own id; undefined until an answer contained it. */
  readonly bankId: string | undefined
  /** `YYYY-MM-DD` */
  readonly dueDate: string
}

/** The codes that a payer pays with. */
export interface BoletoCodes {
  /** 44 digits; absent for a PIX with a due date. */
  readonly barcode?: string | undefined
  /** 47 digits; absent for a PIX with a due date. */
  readonly digitableLine?: string | undefined
  /** PIX copy-and-paste code, unchecked; absent for a boleto without PIX. */
  readonly pixCode?: string | undefined
  /** Address of the PIX charge, without scheme, if the bank reports it. */
  readonly pixLocation?: string | undefined
  /** `nosso número`, without punctuation. */
  readonly ourNumber?: string | undefined
}

/**
 * Money that arrived for a boleto. Paid by its line or elsewhere, it has no end-to-end id of PIX:
 * the connector derives a stable one, and the money can't be refunded.
 */
export interface BoletoPayment extends PixBankPayment {
  /** `elsewhere`: the merchant marked it as paid at the bank, and the bank received no money. */
  readonly way: 'pix' | 'line' | 'elsewhere'
}

/** A boleto in the bank's records. */
export interface BankBoleto {
  /** `issuing`: the bank accepted it, but it can't be paid yet. */
  readonly state: 'issuing' | 'open' | 'paid' | 'removed' | 'expired' | 'failed' | 'not-known'
  readonly bankId: string
  readonly amountMinor: MinorUnits
  /** `YYYY-MM-DD` */
  readonly dueDate: string
  /** Undefined while it is being issued. */
  readonly codes: BoletoCodes | undefined
  readonly payments: readonly BoletoPayment[]
  /** Why it failed, in the bank's words, as one redacted line. */
  readonly reason?: string | undefined
}

/**
 * Boletos at the bank of one account. A rejected promise counts as an unknown answer. Repeat
 * `issue` only after `find` has shown that there is no boleto.
 */
export interface BoletoBank {
  /** The bank refuses smaller amounts. */
  readonly minimumMinor: MinorUnits
  /** The payee, for a composed code. */
  readonly receiver: { readonly name: string; readonly city: string }
  /** Done when the bank accepted the boleto; it may still be issuing it. */
  issue(order: BoletoOrder): Promise<Answer<BankBoleto>>
  /**
   * Absent only if a list by our name has none.
   * @param urgency - `background` leaves room in the account's budget for the others' calls.
   */
  find(boleto: BoletoReference, urgency: 'payer-waits' | 'background'): Promise<Answer<BankBoleto>>
  /** Done with the boleto's current state: paid, if the payer was faster. A background call. */
  cancel(boleto: BoletoReference): Promise<Answer<BankBoleto>>
  /** The bank's own slip; absent if the bank makes none. */
  readonly slip?: (boleto: BoletoReference) => Promise<Answer<Uint8Array>>
  /**
   * Our names of boletos about which the bank sent, or tried to send, notices in a period; absent
   * if the bank keeps no history. A background call.
   */
  readonly listNotices?: (fromMs: number, toMs: number) => Promise<Answer<readonly string[]>>
  /** Refunds money that came by PIX. A background call. */
  refund(order: PixRefundOrder): Promise<Answer<PixBankRefund>>
  /** A background call. */
  findRefund(refund: PixRefundName): Promise<Answer<PixBankRefund>>
}
