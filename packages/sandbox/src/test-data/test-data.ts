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
  /** What the acquirer answers. `authenticate`: the card's bank wants its holder first. */
  readonly outcome: AuthorizationOutcome | 'authenticate'
  /** Why it declines. */
  readonly decline?: Decline
  /** What the bank reports afterwards, by the sandbox's clock. */
  readonly later?: { readonly status: TransactionStatus; readonly afterMinutes: number }
  readonly meaning: BilingualText
}

/** A payer document that chooses whether its holder may buy. Valid, and of no real person. */
interface TestPayer {
  readonly type: 'cpf' | 'cnpj'
  readonly document: string
  /** Who has blocked the payer; nobody when absent. */
  readonly blockedBy?: 'operator' | 'provider'
  /** The code of the error; absent when the payer may buy. */
  readonly errorCode?: number
  readonly meaning: BilingualText
}

/** Centavos of a boleto or PIX amount that choose its outcome, whatever the settlement mode. */
interface TestAmount {
  /** The last two digits of the amount in centavos. */
  readonly centavos: number
  readonly status: Readonly<Record<'boleto' | 'pix', TransactionStatus>>
  /** By the sandbox's clock. */
  readonly afterMinutes: number
  readonly meaning: BilingualText
}

/** A word in a refund's reference that chooses its end, whatever the settlement mode. */
interface TestRefund {
  readonly word: string
  readonly outcome: RefundOutcome
  /** By the sandbox's clock. */
  readonly afterMinutes: number
  readonly meaning: BilingualText
}

/** What becomes of a decline's card when it is tried again. */
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
/** Any valid card that is not listed approves. */
export const TEST_CARDS: readonly TestCard[] = [...OTHER_CARDS, ...DECLINED_CARDS]
/** Any valid document that is not listed may buy. */
export const TEST_PAYERS = data.payers.rows as readonly TestPayer[]
const TEST_AMOUNTS = data.amounts.rows as readonly TestAmount[]
const TEST_REFUNDS = data.refunds.rows as readonly TestRefund[]

/** What the sandbox answers as saved, whatever card was sent (specification, section 5). */
export const FIXED_SAVED_CARD: SavedCardSummary = {
  code: 'SANDBOXSAVEDCARD0000000000000001',
  brand: 'visa',
  lastFour: '1111',
  expirationDate: '2040-12',
  createdAtMs: Date.UTC(2026, 0, 1),
}

/** The card behind {@link FIXED_SAVED_CARD}. */
export const FIXED_CARD: CardSummary = { brand: 'visa', bin: '41111111', lastFour: '1111' }

/** The test card that a summary is of. */
export function testCardOf({
  bin,
  lastFour,
}: Pick<CardSummary, 'bin' | 'lastFour'>): TestCard | undefined {
  return TEST_CARDS.find(({ number }) => number.startsWith(bin) && number.endsWith(lastFour))
}

/** Blocks the payers that are to be refused; they are again after an operator has let one buy. */
export async function blockTestPayers(blocklist: BlocksPayers): Promise<void> {
  for (const { document, blockedBy } of TEST_PAYERS)
    if (blockedBy !== undefined) await blocklist.block(document, blockedBy)
}

/** Whether each start blocks this payer: a document, punctuated or not. */
export function isBlockedTestPayer(payer: string): boolean {
  const named = payer.trim().replaceAll(/[./-]/g, '')
  return TEST_PAYERS.some(
    ({ document, blockedBy }) => blockedBy !== undefined && document === named,
  )
}

const CENTAVOS_IN_A_REAL = 100

/** What the amount chooses; undefined when it chooses nothing. */
export function testAmountOf(amountMinor: number): TestAmount | undefined {
  return TEST_AMOUNTS.find(({ centavos }) => amountMinor % CENTAVOS_IN_A_REAL === centavos)
}

/** What a refund's reference chooses; undefined when it chooses nothing. */
export function testRefundOf(reference: string | undefined): TestRefund | undefined {
  const text = reference?.toLowerCase() ?? ''
  return TEST_REFUNDS.find(({ word }) => text.includes(word))
}

/** One row of a table: what to send, and what comes of it. */
interface TestDataRow {
  readonly value: string
  /** What kind it is: a brand, `cpf`, `cnpj`; empty where there is but one. */
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

/** Everything that chooses an outcome in the sandbox, for documents and panel. */
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
