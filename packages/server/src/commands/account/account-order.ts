import {
  type AccountDescription,
  type AccountMethod,
  type AccountStore,
  routeName,
} from '@cofre/provider-kit/account'
import { INSTALLMENTS_MAX } from '@cofre/contracts'
import { SetupError } from '../../config/errors.js'
import { knownProviders } from '../line/account-providers.js'
import { checkStore, withAccounts, zoneOf } from './account-zones.js'
import {
  type CommandContext,
  type InEnvironment,
  type Shown,
  UsageError,
  operator,
  sandboxOption,
} from '../line/command.js'

interface OrderOptions extends InEnvironment {
  readonly store: string
  readonly method: AccountMethod
  readonly brand?: string
  readonly fromInstallments?: number
  readonly onDecline?: 'next' | 'stop'
  readonly without?: string
  readonly ids: readonly string[]
}

const DECLINES_GO_ON =
  'A card that one declines is sent to the next, because another acquirer may decide otherwise.\n'

/** Sets the accounts of a store for a method, in their order. */
export async function order(context: CommandContext, options: OrderOptions): Promise<Shown> {
  checkOptions(options)
  const { environment, store, method, brand, fromInstallments, onDecline, ids, without } = options
  const route = { merchantId: store, method, brand, fromInstallments }
  const routing = onDecline === undefined ? {} : { routesDeclines: onDecline === 'next' }
  const zone = zoneOf(method)
  return await withAccounts(context, { environment, zone }, async (accounts) => {
    await checkStore(context, options)
    const added = method === 'card' ? [] : await addedTo(context, accounts, options)
    const change = { ...route, ...routing, added, dropped: without }
    const ordered = await accounts.order(change, ids, operator())
    if (ordered === undefined) throw await notAll(accounts, options)
    if (ordered.length === 0 && without === undefined)
      throw new SetupError(
        `${store} has no account for ${method}`,
        `see cofre account add${sandboxOption(environment)}`,
      )
    const name = routeName(route)
    const known = (await accounts.orders(store)).find((one) => routeName(one) === name)
    if (onDecline !== undefined && known === undefined)
      throw new SetupError(`There is no order of ${name}`, 'name its accounts, the first one first')
    const routesOnDecline = known?.routesDeclines === true
    const warning = await warningOf(context, await accounts.list(store), options)
    const data = { store, environment, method, brand, fromInstallments, order: ordered }
    return {
      data: method === 'card' ? { ...data, onDecline: routesOnDecline ? 'next' : 'stop' } : data,
      text: `${orderText(options, name, ordered)}${routesOnDecline ? DECLINES_GO_ON : ''}${warning}`,
    }
  })
}

/** Warns of named accounts that an order for a brand can't reach, according to their providers. */
async function warningOf(
  { providers }: CommandContext,
  accounts: readonly AccountDescription[],
  { brand, fromInstallments = 1, ids }: OrderOptions,
): Promise<string> {
  if (brand === undefined) return ''
  const known = await knownProviders(providers)
  const warnings = accounts.map(({ id, provider: name, settings }) => {
    const found = known.find(({ provider }) => provider.name === name)
    const most = found?.installmentsOf?.(brand, settings) ?? Infinity
    if (!ids.includes(id) || most >= Math.max(fromInstallments, INSTALLMENTS_MAX)) return ''
    return most < fromInstallments
      ? `Careful: ${id} does not accept these charges and is skipped.\n`
      : `Careful: ${id} takes these charges in at most ${most} installments: it is skipped for more.\n`
  })
  return warnings.join('')
}

/** @throws UsageError */
function checkOptions({ method, ...options }: OrderOptions): void {
  const { brand, fromInstallments, ids, onDecline, without } = options
  const isSpecial = brand !== undefined || fromInstallments !== undefined
  if (isSpecial && method !== 'card')
    throw new UsageError('--brand and --from-installments are for --method card')
  if (onDecline !== undefined && method !== 'card')
    throw new UsageError('--on-decline is for --method card')
  if (without !== undefined && method === 'card')
    throw new UsageError('--without is for --method pix and boleto: see account disable')
  if (!isSpecial && onDecline === undefined && without === undefined && ids.length === 0)
    throw new UsageError('name the accounts, the first one first')
  const named = without === undefined ? ids : [...ids, without]
  if (new Set(named).size < named.length) throw new UsageError('name each account once')
}

/** Named accounts that serve other methods, and can also serve this one. */
async function addedTo(
  context: CommandContext,
  accounts: AccountStore,
  { ids, method, store }: OrderOptions,
): Promise<readonly string[]> {
  const serving = await accounts.route({ merchantId: store, method })
  const named = ids.filter((id) => !serving.includes(id))
  if (named.length === 0) return []
  const able = (await knownProviders(context.providers))
    .filter(({ provider: { methods } }) => methods.includes(method))
    .map(({ provider: { name } }) => name)
  const known = await accounts.list(store)
  return named.filter((id) =>
    known.some((account) => account.id === id && able.includes(account.provider)),
  )
}

async function notAll(
  accounts: AccountStore,
  { ids, method, store, without }: OrderOptions,
): Promise<SetupError> {
  const known = await accounts.route({ merchantId: store, method })
  const named = without === undefined ? ids : [...ids, without]
  return new SetupError(
    `Not all of ${named.join(', ')} are accounts of ${store} for ${method}`,
    known.length === 0 ? 'there is none' : `there are ${known.join(', ')}`,
  )
}

function orderText(
  { store, without }: OrderOptions,
  name: string,
  ordered: readonly string[],
): string {
  const left =
    without === undefined
      ? ''
      : `The account ${without} takes no new charges by ${name}. Its existing charges continue.\n`
  return ordered.length === 0
    ? `${left}${store} no longer has an account for ${name}.\n`
    : `${left}New charges of ${store} by ${name} go to the first of these that is enabled: ${ordered.join(', ')}.\n`
}
