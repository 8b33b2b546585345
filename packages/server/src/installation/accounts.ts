import type { AccountDescription } from '@cofre/provider-kit/account'
import { StoreSecretError } from '@cofre/gateway'
import { SealError } from '@cofre/vault'

/** True if the key or secret that sealed an account's secrets is lost or different. */
export function isUnopened(error: unknown): error is StoreSecretError | SealError {
  return error instanceof StoreSecretError || error instanceof SealError
}

/** The account's bank, by its provider's name for it; undefined if the provider has only one. */
export function profileOf({ settings }: AccountDescription): string | undefined {
  return typeof settings.profile === 'string' ? settings.profile : undefined
}

/** Name of the bank, from a small set. */
export function bankNameOf(account: AccountDescription): string {
  return profileOf(account) ?? account.provider
}
