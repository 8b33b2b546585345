import type { ProviderAccount } from '@cofre/provider-kit/account'
import type { Config } from '../config/config.js'

/** Where the notices of an account's bank arrive: a secret, as who knows it can send some. */
export function noticePath({ id, secrets }: Pick<ProviderAccount, 'id' | 'secrets'>): string {
  return `/notices/${id}/${secrets.noticeSecret.reveal()}`
}

/** Where banks reach the role notices; undefined where nobody said. They call HTTPS alone. */
export function publicNoticesUrl({ endpoints }: Config): string | undefined {
  const { publicUrl } = endpoints.notices
  return publicUrl.startsWith('https:') ? publicUrl : undefined
}
