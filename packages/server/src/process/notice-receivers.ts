import type { ProviderAccount } from '@cofre/provider-kit/account'
import type { BankConnection } from '@cofre/provider-kit/bank'
import { type Clock, type Log, MINUTE_MS } from '@cofre/contracts'
import type { Banks } from '@cofre/banks'
import type { Gateway } from '@cofre/gateway'
import type { Vault } from '@cofre/vault'
import type { Metrics } from '../observability/metrics.js'

/** Who takes the notices of some accounts, those that are in a database of its own. */
export interface NoticeReceiver {
  /** Whether notices of an account arrive at an address with this secret. In constant time. */
  expectsNotice(accountId: string, secret: string): Promise<boolean>
  /** Takes what arrived there: anybody may have sent it. `refused`: it is to come again. */
  takeNotice(accountId: string, body: unknown): Promise<'taken' | 'refused'>
}

/** Accounts of a gateway: the charges that a notice names are read at their bank. */
export function gatewayReceiver(
  gateway: Pick<Gateway, 'accounts'> & Pick<Banks, 'expectsNotice' | 'noticeOf'>,
  connectionOf: (account: ProviderAccount) => Promise<BankConnection>,
  log: Log,
): NoticeReceiver {
  return {
    expectsNotice: gateway.expectsNotice,
    async takeNotice(id, body) {
      const account = await gateway.accounts.find(id)
      const connection = account && (await connectionOf(account))
      const names = connection?.notices.namesIn(body)
      // Before they register an address, banks try it with bodies of their own.
      if (names === undefined)
        log.info({ account: id }, 'a bank called without a notice, as banks do to try the address')
      else await gateway.noticeOf(id, names)
      return 'taken'
    },
  }
}

/** Accounts of the vault: signed words are applied, hints are looked at. */
export function vaultReceiver(
  vault: Pick<Vault, 'expectsNotice' | 'takeNotice'>,
  { cardNotices }: Pick<Metrics, 'cardNotices'>,
  { log, clock }: { readonly log: Log; readonly clock: Clock },
): NoticeReceiver {
  const warnedAtMs = new Map<string, number>()
  return {
    expectsNotice: vault.expectsNotice,
    async takeNotice(id, body) {
      const fates = await vault.takeNotice(id, body)
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
