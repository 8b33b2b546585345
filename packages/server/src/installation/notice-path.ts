import type { ProviderAccount } from '@cofre/provider-kit/account'
import type { Config } from '../config/config.js'

/** Path for notices of an account's bank: a secret, because it allows anyone to send notices. */
export function noticePath({ id, secrets }: Pick<ProviderAccount, 'id' | 'secrets'>): string {
  return `/notices/${id}/${secrets.noticeSecret.reveal()}`
}

/**
 * Public address of the role notices; undefined if unknown or not HTTPS, the only scheme that banks
 * call.
 */
export function publicNoticesUrl({ endpoints }: Config): string | undefined {
  const { publicUrl } = endpoints.notices
  return publicUrl.startsWith('https:') ? publicUrl : undefined
}
