import type { AccountStore, ProviderAccount } from '@cofre/provider-kit/account'
import {
  type NoticeOptions,
  checkNoticeOptions,
  drawNoticeSecret,
  registerNotices,
  reportNotices,
  withProvider,
} from './account-connection.js'
import { withAccount } from './account-zones.js'
import { type CommandContext, type Shown, operator } from '../line/command.js'
import { type AccountOptions, contractOf, knownAccount } from './known-account.js'

interface NoticesOptions extends AccountOptions, NoticeOptions {
  readonly newAddress?: true
}

/** Shows the addresses for an account's notices, and registers one if requested. */
export async function notices(context: CommandContext, options: NoticesOptions): Promise<Shown> {
  const { environment, id, newAddress } = options
  const config = context.config('dev')
  return await withAccount(context, options, async (accounts, described) => {
    const contract = await contractOf(context, described)
    checkNoticeOptions(config, options, contract)
    const known = await knownAccount(accounts, options)
    const account = newAddress === true ? await withNewAddress(accounts, known) : known
    const made = { ...contract, account }
    return await withProvider(context, made, async (connection) => {
      const notices = await reportNotices(config, made, registerNotices(connection, options))
      const { text, address: noticeAddress, isRegistered: registered } = notices
      const data = { id, environment, noticeAddress, registered }
      const sentence = newAddress === true ? 'The former address is now refused.\n' : ''
      return { data, text: sentence + text, isFailure: registered === false }
    })
  })
}

/** The same account with a new notice address. */
async function withNewAddress(
  accounts: AccountStore,
  known: ProviderAccount,
): Promise<ProviderAccount> {
  const secrets = { ...known.secrets, noticeSecret: drawNoticeSecret() }
  const account = { ...known, secrets }
  await accounts.rotate(known.id, account, operator())
  return account
}
