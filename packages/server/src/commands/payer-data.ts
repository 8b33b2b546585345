import { type PayerOrder, createPayerBlocklist, createPayerData } from '@cofre/gateway'
import type { Config } from '../config/config.js'
import { SetupError } from '../config/errors.js'
import { DATABASES } from '../installation/databases.js'
import { administerVault, areVaultKeysHere } from '../installation/keys.js'
import {
  type CommandContext,
  type InEnvironment,
  type Shown,
  UsageError,
  gatewayConfig,
  isYes,
  operator,
  table,
  timeText,
} from './command.js'
import { environmentNowMs } from './environment-time.js'

interface ListOptions extends InEnvironment {
  readonly payer?: string
  readonly blocked?: true
}

interface EraseOptions extends InEnvironment {
  readonly payer: string
  readonly yes?: true
  readonly cardsDeleted?: true
}

/** More orders of one payer than these are a case for a person. */
const ORDERS_MAX = 10_000

/** `cofre payer`: what is kept of people who pay (LGPD, articles 16 and 18). */
export const payerDataCommands = { 'payer list': list, 'payer erase': erase }

async function list(context: CommandContext, options: ListOptions): Promise<Shown> {
  const { payer, blocked = false, environment } = options
  if (blocked === (payer !== undefined))
    throw new UsageError('payer list needs a payer, or --blocked')
  const config = await gatewayConfig(context)
  if (payer === undefined) return await listBlocked(config, options)
  const orders = await ordersOf(context, config, { payer, environment })
  const rows = orders.map((order) => [
    order.code,
    order.store,
    order.reference,
    order.status,
    order.created,
    order.savedCard,
    KEPT[order.keptFor ?? 'nothing'],
  ])
  const headings = ['Code', 'Store', 'Reference', 'Status', 'Created', 'Saved card', 'Erasable']
  const text =
    rows.length === 0
      ? `No order in ${environment} holds ${payer}.\n`
      : `${table(headings, rows)}\n`
  return { data: { payer, environment, orders }, text }
}

/** Whether the person can be taken out of an order, and if not, why. */
const KEPT = {
  nothing: 'yes',
  outcome: 'no: its outcome is open',
  'purchase-limit': 'no: younger than 30 days',
} as const

async function listBlocked(config: Config, { environment }: InEnvironment): Promise<Shown> {
  const blocked = await DATABASES[environment].use(config, (database) =>
    createPayerBlocklist(database).list(),
  )
  const rows = blocked.map(({ payer, by }) => [payer, by])
  const text =
    rows.length === 0
      ? `Nobody is blocked in ${environment}.\n`
      : `${table(['Payer', 'Blocked by'], rows)}\n`
  return { data: { environment, blocked }, text }
}

interface OfPayer extends InEnvironment {
  readonly payer: string
}

async function ordersOf(context: CommandContext, config: Config, of: OfPayer) {
  const nowMs = await environmentNowMs(context, config, of)
  const found = await DATABASES[of.environment].use(config, (database) =>
    createPayerData(database).orders(of.payer, nowMs, ORDERS_MAX),
  )
  return found.map(shown)
}

function shown(order: PayerOrder) {
  const { code, merchantId, reference, status, createdAtMs, savedCard, keptFor } = order
  return {
    code: String(code),
    store: merchantId,
    reference,
    status,
    created: timeText(createdAtMs),
    savedCard: savedCard ?? null,
    keptFor: keptFor ?? null,
  }
}

/** Deletes the payer's saved cards, and takes the person out of the orders that are done with. */
async function erase(context: CommandContext, options: EraseOptions): Promise<Shown> {
  const { payer, environment, cardsDeleted = false } = options
  const config = await gatewayConfig(context)
  const orders = await ordersOf(context, config, options)
  const cards = cardsOf(orders)
  const isVaultHere = areVaultKeysHere(config)
  if (cards.length > 0 && !isVaultHere && !cardsDeleted) throw cardsElsewhere(cards, options)
  const erasable = orders.filter(({ keptFor }) => keptFor === null)
  await confirm(context, options, {
    orders: erasable.length,
    cards: isVaultHere ? cards.length : 0,
  })
  const deleted = isVaultHere ? await deleteCards(context, config, { cards, environment }) : []
  const nowMs = await environmentNowMs(context, config, options)
  const erased = await DATABASES[environment].use(config, (database) =>
    createPayerData(database).erase(payer, nowMs),
  )
  const kept = orders.filter(({ keptFor }) => keptFor !== null)
  const data = { payer, environment, erased: erased.map(String), kept, cards: deleted }
  return { data, text: erasureText(data) }
}

interface PayerCard {
  readonly store: string
  readonly code: string
}

/** Each once: a card that was saved again keeps its code. */
function cardsOf(orders: readonly ReturnType<typeof shown>[]): readonly PayerCard[] {
  const cards = orders.flatMap(({ store, savedCard }) =>
    savedCard === null ? [] : [[`${store} ${savedCard}`, { store, code: savedCard }] as const],
  )
  return [...new Map(cards).values()]
}

function cardsElsewhere(cards: readonly PayerCard[], { environment }: InEnvironment): SetupError {
  const where = environment === 'sandbox' ? ' --sandbox' : ''
  const lines = cards.map(
    ({ store, code }) => `  cofre cards delete ${code} --store ${store}${where}`,
  )
  return new SetupError(
    `The payer has saved cards, and the vault runs elsewhere: run this there first, then this command again with --cards-deleted\n${lines.join('\n')}`,
    'nothing was erased',
  )
}

interface Erasure {
  readonly orders: number
  readonly cards: number
}

/** @throws UsageError where nobody can be asked, and when the answer is no */
async function confirm(
  context: CommandContext,
  { payer, environment, yes }: EraseOptions,
  { orders, cards }: Erasure,
): Promise<void> {
  if (yes === true) return
  const { terminal } = context
  if (terminal === undefined)
    throw new UsageError('nobody can be asked here whether to erase for good: --yes says so')
  context.warn(
    `Takes ${payer} out of ${orders} orders in ${environment}, and deletes ${cards} saved cards, for good.\n`,
  )
  if (!isYes(await terminal.ask('Erase? [y/N] ')))
    throw new UsageError('nothing was erased: the answer was no')
}

interface Deletion extends InEnvironment {
  readonly cards: readonly PayerCard[]
}

/** Returns those that the vault had. */
async function deleteCards(
  { clock }: CommandContext,
  config: Config,
  { cards, environment }: Deletion,
): Promise<readonly PayerCard[]> {
  if (cards.length === 0) return []
  return await administerVault(config, clock, async (vault) => {
    const deleted: PayerCard[] = []
    for (const card of cards) {
      const { store: merchantId, code } = card
      if (await vault.deleteSavedCard({ environment, merchantId, code }, operator()))
        deleted.push(card)
    }
    return deleted
  })
}

function erasureText(data: {
  readonly payer: string
  readonly erased: readonly string[]
  readonly kept: readonly ReturnType<typeof shown>[]
  readonly cards: readonly PayerCard[]
}): string {
  const { payer, erased, kept, cards } = data
  const codes = erased.length === 0 ? '' : `: ${erased.join(', ')}`
  const left = kept.map(({ code, keptFor }) => `  ${code}  ${KEPT[keptFor ?? 'nothing']}\n`)
  return [
    `Took ${payer} out of ${erased.length} orders${codes}.\n`,
    `Deleted ${cards.length} saved cards.\n`,
    ...(left.length === 0 ? [] : ['Still there; run this again later:\n', ...left]),
    'Keep these codes: whoever restores an older backup has to erase again.\n',
  ].join('')
}
