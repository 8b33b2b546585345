import { eraseInstructedPayers } from '@cofre/boleto-files'
import { type PayerOrder, createPayerData } from '@cofre/gateway/upkeep'
import { createPayerBlocklist } from '@cofre/operator'
import { deleteEventsOfPayer } from '@cofre/events'
import { eraseLinkMetadata, eraseMetadataNaming } from '@cofre/links'
import { FIXED_SAVED_CARD, eraseRequestsOf } from '@cofre/sandbox'
import type { Config } from '../../config/config.js'
import { SetupError } from '../../config/errors.js'
import type { VaultAdministration } from '@cofre/vault'
import { DATABASES } from '../../installation/databases.js'
import { administerVault, areVaultKeysLocal } from '../../installation/keys.js'
import {
  counted,
  type CommandContext,
  type InEnvironment,
  type Shown,
  UsageError,
  gatewayConfig,
  isYes,
  operator,
  table,
  timeText,
  sandboxOption,
} from '../line/command.js'
import { environmentNowMs } from '../line/environment-time.js'
import { unindexPayers } from '@cofre/search'

interface ListOptions extends InEnvironment {
  readonly payer?: string
  readonly blocked?: true
}

interface EraseOptions extends InEnvironment {
  readonly payer: string
  readonly yes?: true
  readonly cardsDeleted?: true
}

/** No person has more orders: such a payer is the shop's own address or document. */
const ORDERS_MAX = 10_000

/** `cofre payer`: stored data of payers (LGPD, articles 16 and 18). */
export const payerDataCommands = { 'payer list': list, 'payer erase': erase }

async function list(context: CommandContext, options: ListOptions): Promise<Shown> {
  const { payer, blocked = false, environment } = options
  if (blocked === (payer !== undefined))
    throw new UsageError('payer list needs a payer, or --blocked')
  const config = await gatewayConfig(context)
  if (payer === undefined) return await listBlocked(config, options)
  const orders = (await ordersOf(context, config, { payer, environment })).map(shown)
  const rows = orders.map((order) => [
    order.code,
    order.store,
    order.reference,
    order.status,
    order.created,
    order.savedCard,
    ERASABLE_TEXTS[order.keptFor ?? 'nothing'],
  ])
  const headings = ['Code', 'Store', 'Reference', 'Status', 'Created', 'Saved card', 'Erasable']
  const text =
    rows.length === 0
      ? `No order in ${environment} contains ${payer}.\n`
      : `${table(headings, rows)}\n`
  return { data: { payer, environment, orders }, text }
}

/** Answers to "Can the person be erased from the order?" */
const ERASABLE_TEXTS = {
  nothing: 'yes',
  outcome: 'no: its outcome is open',
  'purchase-limit': 'no: younger than 30 days',
  card: 'no: its card is not in this vault',
} as const

async function listBlocked(config: Config, { environment }: InEnvironment): Promise<Shown> {
  const blocked = await DATABASES[environment].use(config, (database) =>
    createPayerBlocklist(database).list(),
  )
  const rows = blocked.map(({ payer, by }) => [payer, by])
  const text =
    rows.length === 0
      ? `No payer is blocked in ${environment}.\n`
      : `${table(['Payer', 'Blocked by'], rows)}\n`
  return { data: { environment, blocked }, text }
}

interface OfPayer extends InEnvironment {
  readonly payer: string
}

/** @throws SetupError if there are too many orders for one person */
async function ordersOf(context: CommandContext, config: Config, of: OfPayer) {
  const { payer, environment } = of
  const nowMs = await environmentNowMs(context, config, of)
  const found = await DATABASES[environment].use(config, (database) =>
    createPayerData(database).orders(payer, nowMs, ORDERS_MAX + 1),
  )
  if (found.length > ORDERS_MAX)
    throw new SetupError(
      `More than ${ORDERS_MAX} orders in ${environment} contain ${payer}, so it does not identify one person. Name the person by another document or e-mail`,
      'nothing was done',
    )
  return found
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

/** Deletes the payer's saved cards, and erases the person from finished orders. */
async function erase(context: CommandContext, options: EraseOptions): Promise<Shown> {
  const { payer, environment, cardsDeleted = false } = options
  const config = await gatewayConfig(context)
  const orders = await ordersOf(context, config, options)
  const cards = cardsOf(orders)
  const isVaultHere = areVaultKeysLocal(config)
  if (cards.length > 0 && !isVaultHere && !cardsDeleted) throw remoteCardsError(cards, options)
  const erasable = orders.filter(({ keptFor }) => keptFor === undefined)
  await confirm(context, options, {
    orders: erasable.length,
    cards: isVaultHere ? cards.length : 0,
  })
  const { deleted, unknown } = isVaultHere
    ? await deleteCards(context, config, { cards, environment })
    : NO_CARDS
  // Only its orders mention such a card.
  const unknownCards = cardsDeleted ? [] : unknown
  const isUnknown = ({ savedCard }: PayerOrder) =>
    unknownCards.some(({ code }) => code === savedCard)
  const codes = erasable.filter((order) => !isUnknown(order)).map(({ code }) => code)
  const nowMs = await environmentNowMs(context, config, options)
  const { erased, links } = await DATABASES[environment].use(config, async (database) => {
    const data = createPayerData(database, [
      eraseInstructedPayers,
      eraseLinkMetadata,
      deleteEventsOfPayer,
      unindexPayers,
    ])
    const done = await data.erase(codes, nowMs)
    await data.forget(payer, nowMs)
    return { erased: done, links: await eraseMetadataNaming(database, payer) }
  })
  if (isVaultHere)
    await administerVault(config, context.clock, (vault) =>
      vault.eraseIdsOfOrders(environment, erased.map(String)),
    )
  if (environment === 'sandbox')
    await DATABASES.bank.use(config, (bank) =>
      eraseRequestsOf(bank, { payer, codes: erased.map(String) }),
    )
  const kept = orders
    .filter(({ code }) => !erased.includes(code))
    .map((order) => ({ ...shown(order), ...(isUnknown(order) && { keptFor: 'card' as const }) }))
  const data = {
    payer,
    environment,
    erased: erased.map(String),
    kept,
    links,
    cards: deleted,
    unknownCards,
  }
  return { data, text: erasureText(data), isFailure: unknownCards.length > 0 }
}

interface PayerCard {
  readonly store: string
  readonly code: string
}

/**
 * Each card once: a card saved again keeps its code. The sandbox's fixed card belongs to no payer.
 */
function cardsOf(orders: readonly PayerOrder[]): readonly PayerCard[] {
  const cards = orders.flatMap(({ merchantId: store, savedCard: code }) =>
    code === undefined || code === FIXED_SAVED_CARD.code
      ? []
      : [[`${store} ${code}`, { store, code }] as const],
  )
  return [...new Map(cards).values()]
}

function remoteCardsError(cards: readonly PayerCard[], { environment }: InEnvironment): SetupError {
  const where = sandboxOption(environment)
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

/** @throws UsageError without a terminal, and if the answer is no */
async function confirm(
  context: CommandContext,
  { payer, environment, yes }: EraseOptions,
  { orders, cards }: Erasure,
): Promise<void> {
  if (yes === true) return
  const { terminal } = context
  if (terminal === undefined)
    throw new UsageError('there is no terminal to confirm the erasure: --yes confirms it')
  context.warn(
    `Takes ${payer} out of ${counted(orders, 'order')} in ${environment}, and deletes ${counted(cards, 'saved card')}, for good.\n`,
  )
  if (!isYes(await terminal.prompt('Erase? [y/N] ')))
    throw new UsageError('nothing was erased: the answer was no')
}

interface Deletion extends InEnvironment {
  readonly cards: readonly PayerCard[]
}

interface DeletedCards {
  readonly deleted: readonly PayerCard[]
  /** Neither stored nor ever deleted in this vault: cards of another vault, or of another copy. */
  readonly unknown: readonly PayerCard[]
}

const NO_CARDS: DeletedCards = { deleted: [], unknown: [] }

async function deleteCards(
  { clock }: CommandContext,
  config: Config,
  { cards, environment }: Deletion,
): Promise<DeletedCards> {
  if (cards.length === 0) return NO_CARDS
  return await administerVault(config, clock, async (vault) => {
    const deleted: PayerCard[] = []
    const unknown: PayerCard[] = []
    for (const card of cards) {
      const { store: merchantId, code } = card
      if (await vault.deleteSavedCard({ environment, merchantId, code }, operator()))
        deleted.push(card)
      else if (!(await wasDeleted(vault, code))) unknown.push(card)
    }
    return { deleted, unknown }
  })
}

async function wasDeleted(vault: VaultAdministration, code: string): Promise<boolean> {
  const filter = { action: 'saved_card.deleted', record: code, limit: 1 }
  return (await vault.listAuditLog(filter)).length > 0
}

function erasureText({
  payer,
  erased,
  kept,
  links,
  cards,
  unknownCards,
}: {
  readonly payer: string
  readonly erased: readonly string[]
  readonly kept: readonly {
    readonly code: string
    readonly keptFor: keyof typeof ERASABLE_TEXTS | null
  }[]
  readonly links: number
  readonly cards: readonly PayerCard[]
  readonly unknownCards: readonly PayerCard[]
}): string {
  const codes = erased.length === 0 ? '' : `: ${erased.join(', ')}`
  const left = kept.map(
    ({ code, keptFor }) => `  ${code}  ${ERASABLE_TEXTS[keptFor ?? 'nothing']}\n`,
  )
  const unknown = unknownCards.map(({ store, code }) => `  ${code} of ${store}\n`)
  return [
    `Took ${payer} out of ${counted(erased.length, 'order')}${codes}.\n`,
    ...(links === 0 ? [] : [`Erased the metadata of ${counted(links, 'payment link')}.\n`]),
    `Deleted ${counted(cards.length, 'saved card')}.\n`,
    ...(unknown.length === 0 ? [] : [UNKNOWN_CARDS, ...unknown]),
    ...(left.length === 0 ? [] : ['Not erased yet; run this again later:\n', ...left]),
    'Keep these codes: after restoring an older backup, erase again.\n',
  ].join('')
}

const UNKNOWN_CARDS =
  'These cards are not in this vault. Check COFRE_VAULT_DATABASE_URL and COFRE_DATA_DIR. Once the cards are deleted, run this again with --cards-deleted:\n'
