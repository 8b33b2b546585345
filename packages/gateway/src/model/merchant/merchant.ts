import type { AccountAction } from '@cofre/provider-kit/account'
import {
  DAY_MS,
  type Environment,
  type RefundRight,
  type RequestRules,
  STORE_SCOPES,
  type Secret,
  type TransactionLanguage,
} from '@cofre/contracts'
import type { StoreInterest } from '../card/store-interest.js'
import {
  FIRST_KEY,
  type KeyTimes,
  type RotatedSecret,
  type SigningKey,
  type StoreKey,
  isLive,
  secretsOf,
} from './store-key.js'

/**
 * A store that uses the gateway, with the secret of its first key. The specification calls its id
 * store id, or merchant id.
 */
export interface Merchant extends RotatedSecret {
  readonly id: string
  readonly name: string
  /** The first key's last use and its end. */
  readonly firstKey?: KeyTimes | undefined
  /** Its live keys beside the first one. */
  readonly furtherKeys?: readonly StoreKey[] | undefined
  /** Signs its notifications, once drawn; until then its first key does. */
  readonly notificationSecret?: RotatedSecret | undefined
  readonly enabled: boolean
  /** True if the store may send card numbers itself (PCI level 1 or 2). */
  readonly mayUseRawCards: boolean
  readonly refunds: RefundRight
  /** The rules for its payment requests. */
  readonly rules: RequestRules
  /** True if a card number is refused as the store's name of an order or a refund. */
  readonly refusesCardReferences: boolean
  /**
   * The use of money that a bank received for no order: another amount, a second payment, one after
   * the end. It is returned to its payer unless the store keeps it.
   */
  readonly surplus?: 'keep' | undefined
  /** Set if authorized payments that it has not ended in time are captured; otherwise voided. */
  readonly uncaptured?: 'capture' | undefined
  /** The language of a payment link that names none; the usual one when absent. */
  readonly language?: TransactionLanguage | undefined
  /**
   * The address for notifications of payment links and refunds that name none. They keep it: a
   * change applies to later ones.
   */
  readonly notificationUrl?: string | undefined
  /** The only way in which it may sign; when absent, it may use either way. */
  readonly signature?: Extract<SignatureForm, 'rfc9421'> | undefined
  /**
   * In the sandbox: set if its saved cards are those that payers have saved, each payer's own.
   * Otherwise one fixed card replaces all of them (specification, section 5).
   */
  readonly savedCards?: 'own' | undefined
  /** In the sandbox: set if an unread field is refused; otherwise it is only reported. */
  readonly unknownFields?: 'refuse' | undefined
  /**
   * Its right to save cards without a charge, which card testers would use. When absent, it has the
   * right in the sandbox alone.
   */
  readonly cardChecks?: 'on' | 'off' | undefined
  /**
   * The limits of declined cards in the last hour: of one payer, from one address, with one BIN.
   * The usual limits when absent; no limit when 0.
   */
  readonly payerDeclines?: number | undefined
  readonly addressDeclines?: number | undefined
  readonly binDeclines?: number | undefined
  /** Origins of the pages that may show its card fields: `https://shop.example`. */
  readonly fieldOrigins: readonly string[]
  /** True if the card fields may report the first six digits to the page. */
  readonly showsBin: boolean
  /** The cost of its installments; the installation's terms when absent. */
  readonly interest?: StoreInterest | undefined
  /** The number of installments that it offers if its contracts allow more; 12 when absent. */
  readonly installmentsMax?: number | undefined
  /** Its last signature in the specification's form, to the day, by the machine's clock. */
  readonly specificationSignedAtMs?: number | undefined
}

/** The settings of a store that an operator may change. */
export type MerchantSettings = Omit<
  Merchant,
  | 'id'
  | keyof RotatedSecret
  | 'firstKey'
  | 'furtherKeys'
  | 'notificationSecret'
  | 'specificationSignedAtMs'
>

/**
 * The author of a store's change:
 * - an operator by a command or by a key for the API of operators, or one of its people in the
 *   console;
 * - `panel` if the console gave a new secret, or its reader had signed in with the store's secret;
 * - `api` for the store itself;
 * - `start` for a start that brings its own store.
 */
export type StoreActor =
  | `operator:${string}`
  | `operator-key:${string}`
  | `person:${string}`
  | 'panel'
  | 'api'
  | 'start'

/** A recorded change of a store or of its accounts. It never contains a secret. */
export interface StoreChange {
  readonly storeId: string
  /** From 1, in the order of the store's changes. */
  readonly position: number
  /** Epoch milliseconds, by the machine's clock. */
  readonly atMs: number
  readonly actor: StoreActor
  readonly action:
    | 'created'
    | 'rotated'
    | 'changed'
    | 'key-added'
    | 'key-ended'
    | 'notification-secret-drawn'
    | AccountAction
  /** The value before, absent at a creation, and the value after. */
  readonly settings: Readonly<
    Record<string, { readonly from?: SettingValue; readonly to: SettingValue }>
  >
}

export type SettingValue = string | number | boolean | readonly string[] | null

/** How long a replaced secret still signs. */
export const PREVIOUS_SECRET_LIVES_MS = DAY_MS

/** A key's change to a new secret. */
export interface Rotation {
  /** The first key when absent. */
  readonly keyId?: string | undefined
  /** Until when the previous secret signs: epoch milliseconds, by the machine's clock. */
  readonly previousUntilMs: number
  /** Only for an enabled store whose current secret is this one. */
  readonly replaces?: Secret<string> | undefined
  /**
   * True of a secret that no answer showed: it goes, and the one before it signs on as long as it
   * would have.
   */
  readonly isLost?: ((secret: Secret<string>) => boolean) | undefined
  readonly actor: StoreActor
}

/** The changes of a store's settings, or the reason why there are none. */
export type SettingDecision<Refusal> = (
  before: MerchantSettings,
) => Partial<MerchantSettings> | { readonly refused: Refusal }

/** How a request was signed: in the specification's form, or by RFC 9421. */
export type SignatureForm = 'specification' | 'rfc9421'

/** The keys that sign the store's requests. */
export function liveKeys(merchant: Merchant, machineNowMs: number): readonly SigningKey[] {
  const { secret, previousSecret, firstKey, furtherKeys = [] } = merchant
  const first = { secret, previousSecret, ...firstKey, id: FIRST_KEY, scopes: STORE_SCOPES }
  return [first, ...furtherKeys]
    .filter((key) => isLive(key, machineNowMs))
    .map((key) => ({
      id: key.id,
      scopes: key.scopes,
      usedAtMs: key.usedAtMs,
      secrets: secretsOf(key, machineNowMs),
    }))
}

/** True if a store may save cards without a charge. */
export function mayCheckCards(
  { cardChecks }: Pick<Merchant, 'cardChecks'>,
  environment: Environment,
): boolean {
  return cardChecks === undefined ? environment === 'sandbox' : cardChecks === 'on'
}

/** The secrets of its first key that sign, the current one first; none once the key has ended. */
export function liveSecrets(merchant: Merchant, machineNowMs: number): readonly Secret<string>[] {
  return isLive(merchant.firstKey ?? {}, machineNowMs) ? secretsOf(merchant, machineNowMs) : []
}

/**
 * The secrets that sign its notifications, the current one first. One that was drawn while the
 * first key changed leaves both secrets of that key their time.
 */
export function notificationSecrets(
  merchant: Merchant,
  machineNowMs: number,
): readonly [Secret<string>, ...Secret<string>[]] {
  const { notificationSecret: drawn } = merchant
  if (drawn === undefined) return secretsOf(merchant, machineNowMs)
  const [secret, ...others] = secretsOf(drawn, machineNowMs)
  const followsFirst = others.some((one) => one.reveal() === merchant.secret.reveal())
  return followsFirst ? [secret, ...secretsOf(merchant, machineNowMs)] : [secret, ...others]
}
