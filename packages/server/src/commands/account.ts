import {
  ACCOUNT_METHODS,
  type AccountDescription,
  type AccountMethod,
  type AccountStore,
} from '@cofre/accounts'
import { SetupError } from '../config/errors.js'
import { profileOf } from '../installation/stores.js'
import { add, rotate } from './account-add.js'
import { notices } from './account-notices.js'
import { testAccount } from './account-steps.js'
import {
  type CommandContext,
  type InEnvironment,
  type Shown,
  operator,
  table,
  timeOrNull,
} from './command.js'
import { type AccountOptions, unknownAccount } from './known-account.js'
import { unknownStore, withStores } from './opened-stores.js'

/** `cofre account`: contracts of stores with banks. */
export const accountCommands = {
  'account add': add,
  'account list': list,
  'account notices': notices,
  'account test': testAccount,
  'account order': order,
  'account disable': disable,
  'account enable': enable,
  'account rotate': rotate,
}

async function list(
  context: CommandContext,
  { environment, store }: InEnvironment & { readonly store?: string },
): Promise<Shown> {
  const data = await withStores(context, { environment }, async ({ stores, accounts }) => {
    if (store !== undefined && (await stores.find(store)) === undefined)
      throw unknownStore(store, environment)
    const found = await accounts.list(store)
    return await Promise.all(found.map((account) => shown(accounts, account)))
  })
  const text =
    data.length === 0 ? `There is no account in ${environment}: cofre account add` : tableOf(data)
  return { data, text: `${text}\n` }
}

/** An account as it is shown: nothing of its secrets. */
async function shown(accounts: AccountStore, account: AccountDescription) {
  const { id, merchantId, provider, kind, label, lastTest } = account
  const order: Partial<Record<AccountMethod, number>> = {}
  for (const method of ACCOUNT_METHODS) {
    const place = (await accounts.route({ merchantId, method })).indexOf(id)
    if (place >= 0) order[method] = place + 1
  }
  return {
    id,
    store: merchantId,
    provider,
    profile: profileOf(account) ?? null,
    label,
    kind,
    enabled: account.disabledAtMs === undefined,
    disabledAt: timeOrNull(account.disabledAtMs),
    order,
    certificateUntil: timeOrNull(account.certificateUntilMs),
    lastTest:
      lastTest === undefined
        ? null
        : { at: timeOrNull(lastTest.atMs), failure: lastTest.failure ?? null },
  }
}

function tableOf(accounts: readonly Awaited<ReturnType<typeof shown>>[]): string {
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
  const headings = ['Account', 'Store', 'State', 'Kind', 'Bank', 'Order', 'Certificate until']
  return table([...headings, 'Last test', 'Label'], rows)
}

function testText(test: Awaited<ReturnType<typeof shown>>['lastTest']): string {
  if (test?.at == null) return 'never'
  return `${test.at.slice(0, 16)}Z ${test.failure === null ? 'passed' : 'FAILED'}`
}

interface OrderOptions extends InEnvironment {
  readonly store: string
  readonly method: AccountMethod
  readonly ids: readonly string[]
}

async function order(context: CommandContext, options: OrderOptions): Promise<Shown> {
  const { environment, store, method, ids } = options
  const route = { merchantId: store, method }
  return await withStores(context, options, async ({ stores, accounts }) => {
    if ((await stores.find(store)) === undefined) throw unknownStore(store, environment)
    const ordered = await accounts.order(route, ids, operator())
    if (ordered === undefined) {
      const known = await accounts.route(route)
      throw new SetupError(
        `Not all of ${ids.join(', ')} are accounts of ${store} for ${method}`,
        known.length === 0 ? 'there is none' : `there are ${known.join(', ')}`,
      )
    }
    const text = `New charges of ${store} by ${method} go to the first of these that is enabled: ${ordered.join(', ')}.\n`
    return { data: { store, environment, method, order: ordered }, text }
  })
}

async function disable(context: CommandContext, options: AccountOptions): Promise<Shown> {
  const { id, environment } = options
  await change(context, options, (accounts) => accounts.disable(id, operator()))
  const text = `The account ${id} takes no new charges. What it has charged goes on: its payments are found, and refunds are made.\n`
  return { data: { id, environment, enabled: false }, text }
}

async function enable(context: CommandContext, options: AccountOptions): Promise<Shown> {
  const { id, environment } = options
  await change(context, options, (accounts) => accounts.enable(id, operator()))
  return {
    data: { id, environment, enabled: true },
    text: `The account ${id} takes new charges again.\n`,
  }
}

async function change(
  context: CommandContext,
  options: AccountOptions,
  work: (accounts: AccountStore) => Promise<boolean>,
): Promise<void> {
  if (!(await withStores(context, options, ({ accounts }) => work(accounts))))
    throw unknownAccount(options)
}
