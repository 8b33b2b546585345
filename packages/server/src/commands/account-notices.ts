import {
  type NoticeOptions,
  checkNoticeOptions,
  registerNotices,
  tellNotices,
  withBank,
} from './account-bank.js'
import { type CommandContext, type Shown, gatewayConfig } from './command.js'
import { type AccountOptions, contractOf, knownAccount } from './known-account.js'
import { withStores } from './opened-stores.js'

/** Shows where an account's bank may send notices, and registers the address if that is wanted. */
export async function notices(
  context: CommandContext,
  options: AccountOptions & NoticeOptions,
): Promise<Shown> {
  const { environment, id } = options
  const config = await gatewayConfig(context)
  checkNoticeOptions(config, options)
  return await withStores(context, options, async ({ accounts }) => {
    const account = await knownAccount(accounts, options)
    const contract = await contractOf(context, account)
    return await withBank(context, { ...contract, account }, async (bank) => {
      const told = await tellNotices(config, account, registerNotices(bank, options))
      const { text, isFailure, address: noticeAddress, isRegistered: registered } = told
      return { data: { id, environment, noticeAddress, registered }, text, isFailure }
    })
  })
}
