import {
  type Environment,
  INSTALLMENTS_MAX,
  type RefundRight,
  USUAL_LANGUAGE,
} from '@cofre/contracts'
import { type Merchant, livePreviousSecret } from '@cofre/gateway'
import { LIMIT_SETTINGS } from '@cofre/operator'
import {
  type CommandContext,
  type InEnvironment,
  type Shown,
  filledTable,
  timeOrNull,
  sandboxOption,
} from '../line/command.js'
import { withStores } from './opened-stores.js'
import { fieldsText } from './store-fields.js'
import { shownDeclines } from './store-text.js'

const HEADINGS = [
  'Store',
  'Name',
  'State',
  'Refunds',
  'Raw cards',
  'Rules',
  'References',
  'Signature',
  'Surplus',
  'Uncaptured',
  'Card checks',
  'Language',
  'Notified at',
  'Saved cards',
  'Unknown fields',
  'Installments',
  'Declines',
  'Old secret until',
]

/** `cofre store list`: only settings that differ from the defaults, in words. */
export async function list(context: CommandContext, options: InEnvironment): Promise<Shown> {
  const nowMs = context.clock.now()
  const { stores, waiting } = await withStores(context, options, async (opened) => ({
    stores: await opened.stores.list(),
    waiting: await opened.stores.waitingFields(),
  }))
  const { environment } = options
  const data = stores.map((store) => shownStore(store, { environment, nowMs, waiting }))
  const text =
    data.length === 0
      ? `No stores in ${environment}: make one with cofre store create${sandboxOption(environment)}`
      : `Stores in ${environment}; what is not shown is as usual\n\n${filledTable(HEADINGS, data.map(tableRow))}`
  return { data, text: `${text}\n${data.map(fieldsText).join('')}` }
}

interface ShownIn {
  readonly environment: Environment
  readonly nowMs: number
  /** Stores whose current card fields are not in the vault yet. */
  readonly waiting: readonly { readonly storeId: string }[]
}

function shownStore(store: Merchant, { environment, nowMs, waiting }: ShownIn) {
  return {
    id: store.id,
    name: store.name,
    enabled: store.enabled,
    rawCards: store.mayUseRawCards,
    refunds: store.refunds,
    rules: store.rules,
    refusesCardReferences: store.refusesCardReferences,
    signature: store.signature ?? 'any',
    specificationSignedAt: timeOrNull(store.specificationSignedAtMs),
    surplus: store.surplus ?? 'refund',
    uncaptured: store.uncaptured ?? 'void',
    cardChecks: store.cardChecks ?? ('usual' as const),
    language: store.language ?? USUAL_LANGUAGE,
    notificationUrl: store.notificationUrl ?? null,
    installments: store.installmentsMax ?? INSTALLMENTS_MAX,
    ...(environment === 'sandbox' && {
      savedCards: store.savedCards ?? 'fixed',
      unknownFields: store.unknownFields ?? 'say',
    }),
    payerDeclines: shownDeclines(store.payerDeclines),
    addressDeclines: shownDeclines(store.addressDeclines),
    binDeclines: shownDeclines(store.binDeclines),
    fieldOrigins: store.fieldOrigins,
    showsBin: store.showsBin,
    isAtVault: !waiting.some(({ storeId }) => storeId === store.id),
    previousSecretUntil: timeOrNull(livePreviousSecret(store, nowMs)?.untilMs),
  }
}

function tableRow(store: ReturnType<typeof shownStore>): readonly string[] {
  return [
    store.id,
    store.name,
    store.enabled ? 'enabled' : 'DISABLED',
    REFUND_RIGHT_TEXTS[store.refunds],
    store.rawCards ? 'allowed' : '',
    store.rules === 'lenient' ? 'lenient' : '',
    store.refusesCardReferences ? 'like card numbers: refused' : '',
    signatureText(store),
    store.surplus === 'keep' ? 'kept' : '',
    store.uncaptured === 'capture' ? 'captured' : '',
    CARD_CHECK_TEXTS[store.cardChecks],
    store.language === USUAL_LANGUAGE ? '' : store.language,
    store.notificationUrl ?? '',
    store.savedCards === 'own' ? 'their own' : '',
    store.unknownFields === 'refuse' ? 'refused' : '',
    store.installments === INSTALLMENTS_MAX ? '' : `to ${store.installments}`,
    declinesText(store),
    store.previousSecretUntil ?? '',
  ]
}

const CARD_CHECK_TEXTS: Readonly<Record<'usual' | 'on' | 'off', string>> = {
  usual: '',
  on: 'allowed',
  off: 'off',
}

const REFUND_RIGHT_TEXTS: Readonly<Record<RefundRight, string>> = {
  'full-and-partial': 'whole or part',
  full: 'whole',
  none: 'none',
  reseller: 'none (reseller)',
}

/** The only signature that a store may use, or its last use of the one to be removed. */
function signatureText(shown: {
  readonly signature: string
  readonly specificationSignedAt: string | null
}): string {
  const { signature, specificationSignedAt: at } = shown
  if (signature !== 'any') return 'RFC 9421 alone'
  return at === null ? '' : `Authorization, last on ${at.slice(0, 10)}`
}

/** Limits of payer, address and BIN that differ from the defaults. */
function declinesText(shown: ReturnType<typeof shownStore>): string {
  const own = LIMIT_SETTINGS.filter((name) => shown[name] !== 'usual')
  return own.map((name) => `${name.replace('Declines', '')} ${String(shown[name])}`).join(', ')
}
