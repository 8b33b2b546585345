import type { ProviderAccount } from '@cofre/gateway'

/** Under which the notices of an account's bank arrive. Whoever knows it can send some: a secret. */
export function noticePath({ id, secrets }: Pick<ProviderAccount, 'id' | 'secrets'>): string {
  return `/notices/${id}/${secrets.noticeSecret.reveal()}`
}
