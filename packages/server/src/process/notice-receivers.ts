import type { ProviderAccount } from '@cofre/accounts'
import type { BankConnection } from '@cofre/banks'
import type { Log } from '@cofre/contracts'
import type { Gateway } from '@cofre/gateway'
import type { Vault } from '@cofre/vault'
import type { Metrics } from '../observability/metrics.js'

/** Who takes the notices of some accounts, those that are in a database of its own. */
export interface NoticeReceiver {
  /** Whether notices of an account arrive at an address with this secret. In constant time. */
  expectsNotice(accountId: string, secret: string): Promise<boolean>
  /** Takes what arrived there: anybody may have sent it. */
  takeNotice(accountId: string, body: unknown): Promise<void>
}

/** Accounts of a gateway: the charges that a notice names are read at their bank. */
export function gatewayReceiver(
  gateway: Pick<Gateway, 'accounts' | 'expectsNotice' | 'noticeOf'>,
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
    },
  }
}

/** Accounts of the vault: signed words are applied, hints are looked at. */
export function vaultReceiver(
  vault: Pick<Vault, 'expectsNotice' | 'takeNotice'>,
  { cardNotices }: Pick<Metrics, 'cardNotices'>,
): NoticeReceiver {
  return {
    expectsNotice: vault.expectsNotice,
    async takeNotice(id, body) {
      for (const fate of await vault.takeNotice(id, body)) cardNotices.inc({ fate })
    },
  }
}
