import type { ProviderAccount } from '@cofre/provider-kit/account'
import type { BankConnection } from '@cofre/provider-kit/bank'
import { type Clock, type Log, MINUTE_MS } from '@cofre/contracts'
import type { Banks } from '@cofre/banks'
import type { Gateway } from '@cofre/gateway'
import type { Vault } from '@cofre/vault'
import type { Metrics } from '../../observability/metrics.js'

/** Receives notices for the accounts of one database. */
export interface NoticeReceiver {
  /** True if the secret is that of the account's notice address. Takes constant time. */
  expectsNotice(accountId: string, secret: string): Promise<boolean>
  /** Handles a notice, which anyone may have sent. `refused`: the sender should repeat it. */
  acceptNotice(accountId: string, body: unknown): Promise<'taken' | 'refused'>
}

/** Accounts of a gateway: reads the charges that a notice names at their bank. */
export function gatewayReceiver(
  gateway: Pick<Gateway, 'accounts'> & Pick<Banks, 'expectsNotice' | 'noticeOf'>,
  connectionOf: (account: ProviderAccount) => Promise<BankConnection>,
  log: Log,
): NoticeReceiver {
  return {
    expectsNotice: gateway.expectsNotice,
    async acceptNotice(id, body) {
      const account = await gateway.accounts.find(id)
      const connection = account && (await connectionOf(account))
      const names = connection?.notices.namesIn(body)
      // Before banks register an address, they test it with bodies of their own.
      if (names === undefined)
        log.info({ account: id }, 'bank called without a notice, probably to test the address')
      else await gateway.noticeOf(id, names)
      return 'taken'
    },
  }
}

/** Accounts of the vault: applies signed notices, and checks unsigned hints. */
export function vaultReceiver(
  vault: Pick<Vault, 'expectsNotice' | 'acceptNotice'>,
  { cardNotices }: Pick<Metrics, 'cardNotices'>,
  { log, clock }: { readonly log: Log; readonly clock: Clock },
): NoticeReceiver {
  const warnedAtMs = new Map<string, number>()
  return {
    expectsNotice: vault.expectsNotice,
    async acceptNotice(id, body) {
      const fates = await vault.acceptNotice(id, body)
      for (const fate of fates) cardNotices.inc({ account: id, fate })
      if (!fates.includes('forged')) return 'taken'
      const nowMs = clock.now()
      if (Math.abs(nowMs - (warnedAtMs.get(id) ?? -Infinity)) >= MINUTE_MS) {
        warnedAtMs.set(id, nowMs)
        log.warn(
          { account: id },
          'a notice was refused: its signature is wrong; compare the HMAC key with the acquirer',
        )
      }
      return 'refused'
    },
  }
}
