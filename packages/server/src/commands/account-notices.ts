import type { AccountStore, ProviderAccount } from '@cofre/accounts'
import {
  type NoticeOptions,
  checkNoticeOptions,
  drawNoticeSecret,
  registerNotices,
  tellNotices,
  withBank,
} from './account-bank.js'
import { type CommandContext, type Shown, gatewayConfig, operator } from './command.js'
import { type AccountOptions, contractOf, knownAccount } from './known-account.js'
import { withStores } from './opened-stores.js'

interface NoticesOptions extends AccountOptions, NoticeOptions {
  readonly newAddress?: true
}

/** Shows where an account's bank may send notices, and registers the address if that is wanted. */
export async function notices(context: CommandContext, options: NoticesOptions): Promise<Shown> {
  const { environment, id, newAddress } = options
  const config = await gatewayConfig(context)
  checkNoticeOptions(config, options)
  return await withStores(context, options, async ({ accounts }) => {
    const known = await knownAccount(accounts, options)
    const contract = await contractOf(context, known)
    const account = newAddress === true ? await withNewAddress(accounts, known) : known
    return await withBank(context, { ...contract, account }, async (bank) => {
      const told = await tellNotices(config, account, registerNotices(bank, options))
      const { text, address: noticeAddress, isRegistered: registered } = told
      const data = { id, environment, noticeAddress, registered }
      const sentence = newAddress === true ? 'The former address is refused from now on.\n' : ''
      return { data, text: sentence + text, isFailure: registered === false }
    })
  })
}

/** The same account, whose notices arrive elsewhere. */
async function withNewAddress(
  accounts: AccountStore,
  known: ProviderAccount,
): Promise<ProviderAccount> {
  const secrets = { ...known.secrets, noticeSecret: drawNoticeSecret() }
  const account = { ...known, secrets }
  await accounts.rotate(known.id, account, operator())
  return account
}
