import { type Answer, type Brand, type MinorUnits, drawText } from '@cofre/contracts'
import type { PixBankPayment, PixBankRefund, PixRefundName, PixRefundOrder } from './pix-bank.js'

/** Our name of a boleto at its bank, its `seuNumero`: unique for ever. */
export type BoletoName = Brand<string, 'BoletoName'>

const NAME_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
/** What the shortest field for it holds, Inter's. */
const NAME_LENGTH = 15

/** 75 random bits: never our own code, since a restored database draws those again. */
export function drawBoletoName(randomBelow: (limit: number) => number): BoletoName {
  return drawText(NAME_ALPHABET, NAME_LENGTH, randomBelow) as BoletoName
}

/** Who owes a charge. */
export type ChargePayer = Pick<BoletoPayer, 'name' | 'document'> & Partial<BoletoPayer>

/** Who owes. Banks register no boleto without an address. */
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

/** A boleto that a bank is asked to register. */
export interface BoletoOrder {
  readonly name: BoletoName
  readonly amountMinor: MinorUnits
  /** `YYYY-MM-DD` */
  readonly dueDate: string
  /** For how many days after its due date it may be paid. */
  readonly payableDays: number
  readonly payer: BoletoPayer
  /** What the payer reads; the bank may cut it. */
  readonly description: string
}

/** Which boleto a bank is asked about. */
export interface BoletoReference {
  readonly name: BoletoName
  /** The bank's own name of it; undefined as long as no answer has told it. */
  readonly bankId: string | undefined
  /** `YYYY-MM-DD` */
  readonly dueDate: string
}

/** What a payer pays with. */
export interface BoletoCodes {
  /** 44 digits; absent of a PIX with a due date. */
  readonly barcode?: string | undefined
  /** 47 digits; absent of a PIX with a due date. */
  readonly digitableLine?: string | undefined
  /** PIX copy-and-paste code, unchecked; absent of a boleto without PIX. */
  readonly pixCode?: string | undefined
  /** Address of the PIX charge, without scheme, where the bank tells it. */
  readonly pixLocation?: string | undefined
  /** `nosso número`, without punctuation. */
  readonly ourNumber?: string | undefined
}

/**
 * Money that arrived for a boleto. Paid by its line or elsewhere, it has no end-to-end id of PIX:
 * the connector makes one that is always the same for the payment, and nothing can be sent back.
 */
export interface BoletoPayment extends PixBankPayment {
  /** `elsewhere`: the merchant has told the bank so by hand, and no money came by it. */
  readonly way: 'pix' | 'line' | 'elsewhere'
}

/** A boleto as its bank has it. */
export interface BankBoleto {
  /** `issuing`: the bank has taken it, and it cannot be paid yet. */
  readonly state: 'issuing' | 'open' | 'paid' | 'removed' | 'expired' | 'failed' | 'not-known'
  readonly bankId: string
  readonly amountMinor: MinorUnits
  /** `YYYY-MM-DD` */
  readonly dueDate: string
  /** Undefined while it is being issued. */
  readonly codes: BoletoCodes | undefined
  readonly payments: readonly BoletoPayment[]
  /** Of one that failed: the bank's word, as one redacted line. */
  readonly reason?: string | undefined
}

/**
 * Boletos at the bank of one account. A rejected promise counts as an unknown answer. `issue` may
 * not be repeated before `find` has shown that nothing is there.
 */
export interface BoletoBank {
  /** Less is refused. */
  readonly minimumMinor: MinorUnits
  /** Who is paid, where a code is to be composed. */
  readonly receiver: { readonly name: string; readonly city: string }
  /** Done when the bank has taken it: perhaps it is still being issued. */
  issue(order: BoletoOrder): Promise<Answer<BankBoleto>>
  /**
   * Absent only where a list by our name has shown none.
   * @param urgency - `background` leaves room in the account's budget for the others' calls.
   */
  find(boleto: BoletoReference, urgency: 'payer-waits' | 'background'): Promise<Answer<BankBoleto>>
  /** Done with the boleto as it then is: paid, where the payer was faster. A background call. */
  cancel(boleto: BoletoReference): Promise<Answer<BankBoleto>>
  /** The bank's own slip; absent where the bank draws none. */
  readonly slip?: (boleto: BoletoReference) => Promise<Answer<Uint8Array>>
  /**
   * Our names of those of which the bank has sent, or tried to send, notices in a period; absent
   * where the bank keeps no history. A background call.
   */
  readonly toldOf?: (fromMs: number, toMs: number) => Promise<Answer<readonly string[]>>
  /** Of money that came by PIX. A background call. */
  refund(order: PixRefundOrder): Promise<Answer<PixBankRefund>>
  /** A background call. */
  findRefund(refund: PixRefundName): Promise<Answer<PixBankRefund>>
}
