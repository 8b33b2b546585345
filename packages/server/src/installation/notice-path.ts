import type { ProviderAccount } from '@cofre/gateway'

/** Where the notices of an account's bank arrive: a secret, as who knows it can send some. */
export function noticePath({ id, secrets }: Pick<ProviderAccount, 'id' | 'secrets'>): string {
  return `/notices/${id}/${secrets.noticeSecret.reveal()}`
}
