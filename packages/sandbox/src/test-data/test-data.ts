import {
  type AuthorizationOutcome,
  type CardSummary,
  type Decline,
  HOUR_MS,
  type SavedCardSummary,
  type TransactionStatus,
} from '@cofre/contracts'
import { explainDecline } from '@cofre/contracts/declines'
import type { RefundOutcome } from '@cofre/gateway'
import type { BlocksPayers } from '../desk/sandbox-desk.js'
import data from './test-data.json' with { type: 'json' }

/** A sentence for people, in the languages of panel and documents. */
export type BilingualText = Readonly<Record<'en' | 'pt-BR', string>>

/** A public test card whose number chooses the outcome of its authorization. */
export interface TestCard {
  /** PAN. Not a secret: no bank ever issued it. */
  readonly number: string
  readonly brand: string
  /** The acquirer's answer. `authenticate`: the card's bank must first authenticate its holder. */
  readonly outcome: AuthorizationOutcome | 'authenticate'
  /** The reason of a decline. */
  readonly decline?: Decline
  /** The bank's later report, by the sandbox's clock. */
  readonly later?: { readonly status: TransactionStatus; readonly afterMinutes: number }
  readonly meaning: BilingualText
}

/** A payer document that determines whether its holder may buy. Valid, and of no real person. */
interface TestPayer {
  readonly type: 'cpf' | 'cnpj'
  readonly document: string
  /** The party that has blocked the payer; absent without a block. */
  readonly blockedBy?: 'operator' | 'provider'
  /** The code of the error; absent if the payer may buy. */
  readonly errorCode?: number
  readonly meaning: BilingualText
}

/** Centavos of a boleto or PIX amount that determine its outcome, in any settlement mode. */
interface TestAmount {
  /** The last two digits of the amount in centavos. */
  readonly centavos: number
  readonly status: Readonly<Record<'boleto' | 'pix', TransactionStatus>>
  /** By the sandbox's clock. */
  readonly afterMinutes: number
  readonly meaning: BilingualText
}

/** A word in a refund's reference that determines its end, in any settlement mode. */
interface TestRefund {
  readonly word: string
  readonly outcome: RefundOutcome
  /** By the sandbox's clock. */
  readonly afterMinutes: number
  readonly meaning: BilingualText
}

/** The advice on retrying a declined card. */
function adviceOf({ retry }: Decline): BilingualText {
  const { never, atOnce, later } = data.declines
  if (retry.kind !== 'allowed') return never
  if (retry.afterMs === 0) return atOnce
  const inHours = (text: string) => text.replace('{hours}', String(retry.afterMs / HOUR_MS))
  return { en: inHours(later.en), 'pt-BR': inHours(later['pt-BR']) }
}

const DECLINED_CARDS = data.declines.rows.map((row): TestCard => {
  const decline = row.decline as Decline
  const name = [decline.reason, decline.code].filter((part) => part !== undefined).join(', ')
  const advice = adviceOf(decline)
  const meaningIn = (language: keyof BilingualText) =>
    `${name}. ${explainDecline(decline.reason, language).meaning} ${advice[language]}`
  const meaning = { en: meaningIn('en'), 'pt-BR': meaningIn('pt-BR') }
  return { ...row, decline, outcome: 'declined', meaning }
})

const OTHER_CARDS = data.cards.rows as readonly TestCard[]
/** Any other valid card approves. */
export const TEST_CARDS: readonly TestCard[] = [...OTHER_CARDS, ...DECLINED_CARDS]
/** Any other valid document may buy. */
export const TEST_PAYERS = data.payers.rows as readonly TestPayer[]
const TEST_AMOUNTS = data.amounts.rows as readonly TestAmount[]
const TEST_REFUNDS = data.refunds.rows as readonly TestRefund[]

/** The sandbox's answer for a saved card, whatever card was sent (specification, section 5). */
export const FIXED_SAVED_CARD: SavedCardSummary = {
  code: 'SANDBOXSAVEDCARD0000000000000001',
  brand: 'visa',
  lastFour: '1111',
  expirationDate: '2040-12',
  createdAtMs: Date.UTC(2026, 0, 1),
}

/** The card behind {@link FIXED_SAVED_CARD}. */
export const FIXED_CARD: CardSummary = { brand: 'visa', bin: '41111111', lastFour: '1111' }

/** Its code in the vault. No store's request can have it, because it has no 32 characters. */
export const SIMULATED_CARD_CODE = 'fixed'
/** {@link FIXED_CARD} as the simulated acquirer charges it. */
export const SIMULATED_CARD = { number: '4111111111111111', month: '12', year: '2040' } as const

/** The security codes of a saved card that the simulated acquirer finds wrong. */
export const WRONG_CODES: readonly string[] = ['999', '9999']
/** The decline of a wrong security code. */
export const WRONG_CODE: Decline | undefined = DECLINED_CARDS.find(
  ({ decline }) => decline?.reason === 'security_code_invalid',
)?.decline

/** The test card of a summary. */
export function testCardOf({
  bin,
  lastFour,
}: Pick<CardSummary, 'bin' | 'lastFour'>): TestCard | undefined {
  return TEST_CARDS.find(({ number }) => number.startsWith(bin) && number.endsWith(lastFour))
}

/** Blocks the payers that must be refused, even if an operator has unblocked one meanwhile. */
export async function blockTestPayers(blocklist: BlocksPayers): Promise<void> {
  for (const { document, blockedBy } of TEST_PAYERS)
    if (blockedBy !== undefined) await blocklist.block(document, blockedBy)
}

/** True if each start blocks this payer: a document, punctuated or not. */
export function isBlockedTestPayer(payer: string): boolean {
  const named = payer.trim().replaceAll(/[./-]/g, '')
  return TEST_PAYERS.some(
    ({ document, blockedBy }) => blockedBy !== undefined && document === named,
  )
}

const CENTAVOS_IN_A_REAL = 100

/** The outcome that an amount selects; undefined if it selects none. */
export function testAmountOf(amountMinor: number): TestAmount | undefined {
  return TEST_AMOUNTS.find(({ centavos }) => amountMinor % CENTAVOS_IN_A_REAL === centavos)
}

/** The outcome that a refund's reference selects; undefined if it selects none. */
export function testRefundOf(reference: string | undefined): TestRefund | undefined {
  const text = reference?.toLowerCase() ?? ''
  return TEST_REFUNDS.find(({ word }) => text.includes(word))
}

/** A row of a table: the value to send, and its result. */
interface TestDataRow {
  readonly value: string
  /** The kind of value: a brand, `cpf`, `cnpj`; empty if there is only one. */
  readonly kind: string
  readonly meaning: BilingualText
}

export interface TestDataTable {
  readonly title: BilingualText
  readonly note: BilingualText
  readonly rows: readonly TestDataRow[]
}

function cardRow({ number, brand, meaning }: TestCard): TestDataRow {
  return { value: number, kind: brand, meaning }
}

const { cards, declines, savedCards, payers, amounts, refunds } = data
const { code, brand } = FIXED_SAVED_CARD

/** Every value that selects an outcome in the sandbox, for documents and panel. */
export const TEST_DATA: readonly TestDataTable[] = [
  { ...cards, rows: OTHER_CARDS.map(cardRow) },
  { ...declines, rows: DECLINED_CARDS.map(cardRow) },
  { ...savedCards, rows: [{ value: code, kind: brand, meaning: savedCards.meaning }] },
  { ...payers, rows: payers.rows.map((row) => ({ ...row, value: row.document, kind: row.type })) },
  {
    ...amounts,
    rows: [
      ...amounts.rows.map(({ centavos, meaning }) => ({
        value: `….${String(centavos).padStart(2, '0')}`,
        kind: 'boleto, pix',
        meaning,
      })),
      amounts.tooMuch,
    ],
  },
  { ...refunds, rows: refunds.rows.map((row) => ({ ...row, value: row.word, kind: '' })) },
]
