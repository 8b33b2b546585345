import type { AccountDescription } from '@cofre/provider-kit/account'
import { StoreSecretError } from '@cofre/gateway'
import { SealError } from '@cofre/vault'

/** Whether what an account's secrets were sealed with is gone, or another. */
export function isUnopened(error: unknown): error is StoreSecretError | SealError {
  return error instanceof StoreSecretError || error instanceof SealError
}

/** The bank of an account, as its provider calls it; undefined where there is one alone. */
export function profileOf({ settings }: AccountDescription): string | undefined {
  return typeof settings.profile === 'string' ? settings.profile : undefined
}

/** One of few names. */
export function bankNameOf(account: AccountDescription): string {
  return profileOf(account) ?? account.provider
}
