import { REQUEST_RULES, type RequestRules } from '@cofre/contracts'
import type { MerchantSettings, RefundRight, StoreChange } from '@cofre/gateway'
import { InvalidArgumentError, Option } from 'commander'
import { type CommandContext, printData } from './command-context.js'
import { type StoreOptions, environmentOf, unknownStore, withStores } from './opened-stores.js'
import { operator } from './operator.js'
import { settingsText, shownSettings } from './store-log.js'
import { UsageError } from './usage-error.js'

export type CardReferences = 'allow' | 'refuse'

export interface SetOptions extends StoreOptions {
  readonly name?: string
  readonly rawCards?: 'on' | 'off'
  readonly refunds?: RefundRight
  readonly rules?: RequestRules
  readonly cardReferences?: CardReferences
}

const REFUNDS: readonly RefundRight[] = ['full-and-partial', 'full', 'none', 'reseller']

export const nameOption = (description: string): Option =>
  new Option('--name <name>', description).argParser(readName)

export const rawCardsOption = (): Option =>
  new Option(
    '--raw-cards <on|off>',
    'Whether it may send card numbers itself (PCI DSS level 1 or 2 only)',
  ).choices(['on', 'off'])

export const refundsOption = (): Option =>
  new Option('--refunds <right>', 'What it may refund').choices(REFUNDS)

export const rulesOption = (): Option =>
  new Option(
    '--rules <rules>',
    "What its payments are judged by: the specification's rules, or lenient ones that take orders as shops have them",
  ).choices(REQUEST_RULES)

export const cardReferencesOption = (): Option =>
  new Option(
    '--card-references <allow|refuse>',
    'Whether a card number is refused as the reference of a payment or refund',
  ).choices(['allow', 'refuse'])

/** Changes what was named. */
export async function setSettings(
  context: CommandContext,
  id: string,
  options: SetOptions,
): Promise<void> {
  const { name, rawCards, refunds, rules, cardReferences } = options
  const settings: Partial<MerchantSettings> = {
    ...(name !== undefined && { name }),
    ...(rawCards !== undefined && { mayUseRawCards: rawCards === 'on' }),
    ...(refunds !== undefined && { refunds }),
    ...(rules !== undefined && { rules }),
    ...(cardReferences !== undefined && { refusesCardReferences: cardReferences === 'refuse' }),
  }
  if (Object.keys(settings).length === 0)
    throw new UsageError(
      'store set needs what to set: --name, --raw-cards, --refunds, --rules or --card-references',
    )
  const changed = await changeStore(context, id, { ...options, settings })
  const environment = environmentOf(options.sandbox)
  const text =
    Object.keys(changed).length === 0
      ? `The store ${id} is so in ${environment} already.\n`
      : `Changed the store ${id} in ${environment}: ${settingsText(changed)}.\n`
  printData(context, options, { data: { id, environment, changed: shownSettings(changed) }, text })
}

/** Lets a store use the gateway, or not. */
export async function setEnabled(
  context: CommandContext,
  id: string,
  options: StoreOptions & { readonly enabled: boolean },
): Promise<void> {
  const { enabled, sandbox } = options
  await changeStore(context, id, { ...options, settings: { enabled } })
  const environment = environmentOf(sandbox)
  const text = `The store ${id} is ${enabled ? 'enabled' : 'disabled'} in ${environment}.\n`
  printData(context, options, { data: { id, environment, enabled }, text })
}

async function changeStore(
  context: CommandContext,
  id: string,
  options: StoreOptions & { readonly settings: Partial<MerchantSettings> },
): Promise<StoreChange['settings']> {
  const changed = await withStores(context, options, (stores) =>
    stores.change(id, options.settings, operator()),
  )
  if (changed === undefined) throw unknownStore(id, environmentOf(options.sandbox))
  return changed
}

function readName(text: string): string {
  if (/^[^\p{Cc}]{1,100}$/u.test(text) && text.trim() !== '') return text
  throw new InvalidArgumentError('A name is 1 to 100 characters.')
}
