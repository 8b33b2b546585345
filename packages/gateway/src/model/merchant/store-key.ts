import type { Secret, StoreScope } from '@cofre/contracts'

/** The id of a store's first key. It has every scope. */
export const FIRST_KEY = 'first'

/** Keys of a store that sign requests at the same time. */
export const STORE_KEYS_MAX = 4

/** A secret that another has replaced. */
export interface PreviousSecret {
  readonly secret: Secret<string>
  /** Until when it still signs: epoch milliseconds, by the machine's clock. */
  readonly untilMs: number
}

/** A secret that may be replaced. */
export interface RotatedSecret {
  readonly secret: Secret<string>
  /** The one before, which still signs for a while after a rotation. */
  readonly previousSecret?: PreviousSecret | undefined
}

/** When a key was last used, and its end. By the machine's clock, in epoch milliseconds. */
export interface KeyTimes {
  /** To the minute; absent before its first use. */
  readonly usedAtMs?: number | undefined
  /** From then on it signs nothing; absent if it has no end. */
  readonly endsAtMs?: number | undefined
}

/** A key of a store, without its secret. */
export interface ShownKey extends KeyTimes {
  /** Unique in the store: `first`, or `k-` and 8 hexadecimal digits. */
  readonly id: string
  /** Given by a person; empty for the first key. */
  readonly name: string
  readonly scopes: readonly StoreScope[]
  readonly createdAtMs: number
  /** Until when its previous secret signs, if it was rotated. */
  readonly previousUntilMs?: number | undefined
}

/** A key of a store. */
export interface StoreKey extends Omit<ShownKey, 'previousUntilMs'>, RotatedSecret {}

/** A new key of a store. */
export type NewKey = Omit<StoreKey, 'createdAtMs' | 'usedAtMs' | 'previousSecret'>

/** A store's keys for people, without secrets. */
export interface ShownKeys {
  /** The first one first; ended ones too. */
  readonly keys: readonly ShownKey[]
  /** Undefined while its notifications follow the first key. */
  readonly notificationSecret?: Pick<ShownKey, 'createdAtMs' | 'previousUntilMs'> | undefined
}

/** Why a store's key was not added or ended. */
export type KeyRefusal =
  | 'no-store'
  | 'too-many'
  | 'unknown'
  | 'ended-before'
  | 'signs-notifications'

/** A live key, as a request's signature is compared with it. */
export interface SigningKey extends Pick<ShownKey, 'id' | 'scopes' | 'usedAtMs'> {
  readonly secrets: readonly Secret<string>[]
}

/** The previous secret, while it still signs. */
export function livePreviousSecret(
  { previousSecret }: RotatedSecret,
  machineNowMs: number,
): PreviousSecret | undefined {
  return previousSecret !== undefined && machineNowMs < previousSecret.untilMs
    ? previousSecret
    : undefined
}

/** The secret, and the one before it while that still signs. */
export function secretsOf(
  rotated: RotatedSecret,
  machineNowMs: number,
): readonly [Secret<string>, ...Secret<string>[]] {
  const previous = livePreviousSecret(rotated, machineNowMs)
  return previous === undefined ? [rotated.secret] : [rotated.secret, previous.secret]
}

export function isLive({ endsAtMs }: KeyTimes, machineNowMs: number): boolean {
  return endsAtMs === undefined || machineNowMs < endsAtMs
}

/**
 * The key with a secret that signed. Tries every secret, whichever did, so that the time shows
 * nothing of it.
 */
export function keyThatSigned(
  keys: readonly SigningKey[],
  hasSigned: (secret: Secret<string>) => boolean,
): SigningKey | undefined {
  const [key] = keys.filter(({ secrets }) => secrets.filter(hasSigned).length > 0)
  return key
}
