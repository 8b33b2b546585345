import { type AccountDescription, type AccountStore, routeName } from '@cofre/provider-kit/account'
import type { ForeignNotices } from '@cofre/vault'
import type { Config } from '../../config/config.js'
import { NARROW_WEBHOOK } from '../../doctor/account-checks.js'
import { administerVault } from '../../installation/keys.js'
import { profileOf } from '../../installation/accounts.js'
import { add, rotate } from './account-add.js'
import { notices } from './account-notices.js'
import { order } from './account-order.js'
import type { AccountZone } from '../line/account-providers.js'
import { testAccount } from './account-steps.js'
import { checkStore, withAccount, withAccounts, localZones } from './account-zones.js'
import {
  type CommandContext,
  type InEnvironment,
  type Shown,
  operator,
  table,
  timeOrNull,
  sandboxOption,
} from '../line/command.js'
import type { AccountOptions } from './known-account.js'

/** `cofre account`: contracts of stores with banks and acquirers. */
export const accountCommands = {
  'account add': add,
  'account list': list,
  'account notices': notices,
  'account test': testAccount,
  'account order': order,
  'account set': setLabel,
  'account disable': disable,
  'account enable': enable,
  'account rotate': rotate,
}

async function list(
  context: CommandContext,
  { environment, store }: InEnvironment & { readonly store?: string },
): Promise<Shown> {
  if (store !== undefined) await checkStore(context, { environment, store })
  const data: ListedAccount[] = []
  const zones = await localZones(context)
  const heard = zones.includes('vault')
    ? await administerVault(context.config('dev'), context.clock, (vault) => vault.foreignNotices())
    : []
  for (const zone of zones)
    await withAccounts(context, { environment, zone }, async (accounts) => {
      for (const account of await accounts.list(store))
        data.push(await shown(accounts, account, heard))
    })
  const text =
    data.length === 0
      ? `There is no account in ${environment}: cofre account add${sandboxOption(environment)}`
      : tableOf(data)
  const notes = [...data.flatMap(foreignText), otherMachineText(context.config('dev'), zones)]
  return { data, text: `${text}\n${notes.join('')}` }
}

/** Names the accounts that are on another machine. */
function otherMachineText(
  { vaultService: { url } }: Config,
  zones: readonly AccountZone[],
): string {
  if (!zones.includes('gateway')) return 'Accounts at banks are kept where the gateway runs.\n'
  return url === undefined ? '' : `Accounts for cards are kept where the vault runs (${url}).\n`
}

/** Merchant accounts whose notices arrive at an account, but which no account here has. */
function foreignText({ id, foreignNotices }: ListedAccount): string[] {
  if (foreignNotices.length === 0) return []
  const names = foreignNotices.map(
    ({ name, notices, lastAt }) => `${name} (${notices}, the last on ${lastAt?.slice(0, 10)})`,
  )
  return [
    `At ${id} arrive notices of merchant accounts without an account here: ${names.join(', ')}. ${NARROW_WEBHOOK}.\n`,
  ]
}

type ListedAccount = Awaited<ReturnType<typeof shown>>

/** An account without its secrets, for display. */
async function shown(
  accounts: AccountStore,
  account: AccountDescription,
  heard: readonly ForeignNotices[],
) {
  const { id, merchantId, provider, kind, label, lastTest } = account
  const places = (await accounts.orders(merchantId)).flatMap((order): [string, number][] => {
    const place = order.ids.indexOf(id)
    return place < 0 ? [] : [[routeName(order), place + 1]]
  })
  return {
    id,
    store: merchantId,
    provider,
    profile: profileOf(account) ?? null,
    label,
    kind,
    enabled: account.disabledAtMs === undefined,
    disabledAt: timeOrNull(account.disabledAtMs),
    /** Its positions in the orders that name it. */
    order: Object.fromEntries(places),
    certificateUntil: timeOrNull(account.certificateUntilMs),
    lastTest:
      lastTest === undefined
        ? null
        : { at: timeOrNull(lastTest.atMs), failure: lastTest.failure ?? null },
    foreignNotices: heard
      .filter(({ accountId }) => accountId === id)
      .map(({ name, notices, firstAtMs, lastAtMs }) => ({
        name,
        notices,
        firstAt: timeOrNull(firstAtMs),
        lastAt: timeOrNull(lastAtMs),
      })),
  }
}

function tableOf(accounts: readonly ListedAccount[]): string {
  const rows = accounts.map((account) => [
    account.id,
    account.store,
    account.enabled ? 'enabled' : 'DISABLED',
    account.kind,
    account.profile ?? account.provider,
    Object.entries(account.order)
      .map(([method, place]) => `${method} ${place}`)
      .join(', '),
    account.certificateUntil?.slice(0, 10) ?? null,
    testText(account.lastTest),
    account.label,
  ])
  const headings = ['Account', 'Store', 'State', 'Kind', 'With', 'Order', 'Certificate until']
  return table([...headings, 'Last test', 'Label'], rows)
}

function testText(test: ListedAccount['lastTest']): string {
  if (test?.at == null) return 'never'
  return `${test.at.slice(0, 16)}Z ${test.failure === null ? 'passed' : 'FAILED'}`
}

async function setLabel(
  context: CommandContext,
  { label, ...options }: AccountOptions & { readonly label: string },
): Promise<Shown> {
  const { id, environment } = options
  await withAccount(context, options, (accounts) => accounts.rename(id, label, operator()))
  return { data: { id, environment, label }, text: `The account ${id} is called ${label}.\n` }
}

async function disable(context: CommandContext, options: AccountOptions): Promise<Shown> {
  const { id, environment } = options
  await withAccount(context, options, (accounts) => accounts.disable(id, operator()))
  const text = `The account ${id} takes no new charges. Its existing charges continue: payments are found and refunds are made.\n`
  return { data: { id, environment, enabled: false }, text }
}

async function enable(context: CommandContext, options: AccountOptions): Promise<Shown> {
  const { id, environment } = options
  await withAccount(context, options, (accounts) => accounts.enable(id, operator()))
  return {
    data: { id, environment, enabled: true },
    text: `The account ${id} takes new charges again.\n`,
  }
}
