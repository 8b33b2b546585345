import { createHash, timingSafeEqual } from 'node:crypto'
import { type Clock, Secret } from '@cofre/contracts'
import {
  type DeskStores,
  type InstallmentTerms,
  type Merchant,
  PREVIOUS_SECRET_LIVES_MS,
  type ShownKeys,
  liveSecrets,
} from '@cofre/gateway/room'

/** A store and its secrets. */
export interface StoreAccount {
  readonly findMerchant: (merchantId: string) => Promise<Merchant | undefined>
  /** A store's keys, without secrets. */
  readonly keysOf: (merchantId: string) => Promise<ShownKeys>
  /**
   * The enabled store with these credentials; undefined if they are wrong. Compares in constant
   * time.
   */
  readonly signIn: (merchantId: string, secret: string) => Promise<Merchant | undefined>
  /**
   * Gives a store a new secret, as the panel. The old one signs for another 24 hours of the
   * machine's time.
   * @param replaces - Requires an enabled store with this current secret.
   * @returns the end of that time, in epoch milliseconds; undefined when there is no such store
   */
  readonly rotateSecret: (
    merchantId: string,
    secret: Secret<string>,
    replaces?: Secret<string>,
  ) => Promise<number | undefined>
  /** The terms of stores without terms of their own. */
  readonly usualTerms: () => InstallmentTerms
}

export interface StoreAccountDeps {
  readonly machineClock: Clock
  readonly installmentTerms: InstallmentTerms
  readonly stores: DeskStores
}

export function createStoreAccount(deps: StoreAccountDeps): StoreAccount {
  const { machineClock, stores } = deps
  return {
    findMerchant: (merchantId) => stores.find(merchantId),
    keysOf: (merchantId) => stores.keysOf(merchantId),
    signIn: (merchantId, secret) => signIn(deps, merchantId, secret),
    async rotateSecret(merchantId, secret, replaces) {
      const previousUntilMs = machineClock.now() + PREVIOUS_SECRET_LIVES_MS
      const rotation = { previousUntilMs, actor: 'panel', replaces } as const
      const isFound = await stores.rotateSecret(merchantId, secret, rotation)
      return isFound ? previousUntilMs : undefined
    },
    usualTerms: () => deps.installmentTerms,
  }
}

/** An unknown store takes as long as a wrong secret. */
async function signIn(
  { machineClock, stores }: StoreAccountDeps,
  merchantId: string,
  secret: string,
): Promise<Merchant | undefined> {
  // PostgreSQL rejects NUL in a text.
  const merchant = merchantId.includes('\0') ? undefined : await stores.find(merchantId)
  const secrets =
    merchant === undefined ? [new Secret('')] : liveSecrets(merchant, machineClock.now())
  const isRight = secrets.filter((live) => isSameText(live.reveal(), secret)).length > 0
  return merchant?.enabled === true && isRight ? merchant : undefined
}

/** Digests have one length, regardless of the texts' lengths. */
function isSameText(expected: string, given: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(expected), digest(given))
}
