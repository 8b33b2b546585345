import type { AccountAction } from '@cofre/provider-kit/account'
import { DAY_MS, type RequestRules, type Secret, type TransactionLanguage } from '@cofre/contracts'
import type { StoreInterest } from '../card/store-interest.js'

/** A store that uses the gateway. The specification calls its id store id, or merchant id. */
export interface Merchant {
  readonly id: string
  readonly name: string
  /** Signs the store's requests; never sent. */
  readonly secret: Secret<string>
  /** The one before it, which still signs for a while after a rotation. */
  readonly previousSecret?: PreviousSecret | undefined
  readonly enabled: boolean
  /** Whether the store may send card numbers itself (PCI level 1 or 2). */
  readonly mayUseRawCards: boolean
  readonly refunds: RefundRight
  /** What its payment requests are judged by. */
  readonly rules: RequestRules
  /** Whether a card number is refused where the store names an order or a refund. */
  readonly refusesCardReferences: boolean
  /**
   * What becomes of money that a bank received and that is no order's: another amount, a second
   * payment, one after the end. It goes back to its payer unless the store keeps it.
   */
  readonly surplus?: 'keep' | undefined
  /** Of what payers see of a payment link that names none; the usual one when absent. */
  readonly language?: TransactionLanguage | undefined
  /**
   * Where it is notified of payment links and refunds that name no address. They keep it: a change
   * is of later ones.
   */
  readonly notificationUrl?: string | undefined
  /** The only way in which it may sign; when absent, either way that there is. */
  readonly signature?: Extract<SignatureForm, 'rfc9421'> | undefined
  /**
   * In the sandbox: whether its saved cards are those that payers have saved, each payer's own. One
   * fixed card stands for all otherwise (specification, section 5).
   */
  readonly savedCards?: 'own' | undefined
  /** In the sandbox: whether a field that nothing reads is refused; it is said otherwise. */
  readonly unknownFields?: 'refuse' | undefined
  /**
   * How many declined cards in the last hour are too many, of one payer, from one address, with one
   * BIN; the usual limits when absent, no limit when 0.
   */
  readonly payerDeclines?: number | undefined
  readonly addressDeclines?: number | undefined
  readonly binDeclines?: number | undefined
  /** Pages of these may show its card fields: `https://shop.example`. */
  readonly fieldOrigins: readonly string[]
  /** Whether the card fields may tell the page the first six digits. */
  readonly showsBin: boolean
  /** What its installments cost; the installation's terms when absent. */
  readonly interest?: StoreInterest | undefined
  /** How many installments it offers where its contracts allow more; 12 when absent. */
  readonly installmentsMax?: number | undefined
  /** When it last signed as the specification has it, to the day: by the machine's clock. */
  readonly specificationSignedAtMs?: number | undefined
}

/** What of a store an operator may change. */
export type MerchantSettings = Omit<
  Merchant,
  'id' | 'secret' | 'previousSecret' | 'specificationSignedAtMs'
>

/**
 * Who changed a store: an operator by a command, one of its people in the console (`panel` where it
 * gave a new secret, or its reader had signed in with the store's secret), the store itself by its
 * API, or a start that brings its own store.
 */
export type StoreActor = `operator:${string}` | `person:${string}` | 'panel' | 'api' | 'start'

/** A change of a store or of its accounts, as it is kept. A secret is in none. */
export interface StoreChange {
  readonly storeId: string
  /** From 1, in the order of the store's changes. */
  readonly position: number
  /** Epoch milliseconds, by the machine's clock. */
  readonly atMs: number
  readonly actor: StoreActor
  readonly action: 'created' | 'rotated' | 'changed' | AccountAction
  /** What it was, absent at a creation, and what it is. */
  readonly settings: Readonly<
    Record<string, { readonly from?: SettingValue; readonly to: SettingValue }>
  >
}

export type SettingValue = string | number | boolean | readonly string[] | null

/**
 * What a merchant may refund; a reseller's category allows no refunds at all (specification,
 * section 7.6).
 */
export type RefundRight = 'full-and-partial' | 'full' | 'none' | 'reseller'

/** How long a secret that was replaced still signs. */
export const PREVIOUS_SECRET_LIVES_MS = DAY_MS

export interface PreviousSecret {
  readonly secret: Secret<string>
  /** Epoch milliseconds, by the machine's clock. */
  readonly untilMs: number
}

/** How a store gets a new secret. */
export interface Rotation {
  /** Until when the secret before signs: epoch milliseconds, by the machine's clock. */
  readonly previousUntilMs: number
  /** Only of an enabled store of which this is the current secret. */
  readonly replaces?: Secret<string> | undefined
  readonly actor: StoreActor
}

/** What is to change of a store's settings, or why nothing does. */
export type SettingDecision<Refusal> = (
  before: MerchantSettings,
) => Partial<MerchantSettings> | { readonly refused: Refusal }

/** How a request was signed: as the specification has it, or by RFC 9421. */
export type SignatureForm = 'specification' | 'rfc9421'

/** The secret before the current one, while it still signs. */
export function livePreviousSecret(
  { previousSecret }: Merchant,
  machineNowMs: number,
): PreviousSecret | undefined {
  return previousSecret !== undefined && machineNowMs < previousSecret.untilMs
    ? previousSecret
    : undefined
}

/** The secrets that sign, the current one first. */
export function liveSecrets(
  merchant: Merchant,
  machineNowMs: number,
): readonly [Secret<string>, ...Secret<string>[]] {
  const previous = livePreviousSecret(merchant, machineNowMs)
  return previous === undefined ? [merchant.secret] : [merchant.secret, previous.secret]
}
