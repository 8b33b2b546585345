import {
  type AuthorizationOutcome,
  type CardSummary,
  DAY_MS,
  MINUTE_MS,
  type TransactionStatus,
} from '@cofre/contracts'
import type { BilingualText } from './bilingual-text.js'

/** A public test card whose number chooses the outcome of its authorization. */
export interface TestCard {
  /** PAN. Not a secret: no bank ever issued it. */
  readonly number: string
  readonly brand: string
  /** What the acquirer answers. */
  readonly outcome: AuthorizationOutcome
  /** What the bank reports afterwards, by the sandbox's clock. */
  readonly later?: { readonly status: TransactionStatus; readonly afterMs: number }
  readonly meaning: BilingualText
}

const APPROVED = {
  outcome: 'approved',
  meaning: { en: 'approved', 'pt-BR': 'aprovado' },
} as const
const SOON_MS = 5 * MINUTE_MS

/** Any valid card that is not listed approves. */
export const TEST_CARDS: readonly TestCard[] = [
  { number: '4111111111111111', brand: 'visa', ...APPROVED },
  { number: '5555444433331111', brand: 'mastercard', ...APPROVED },
  { number: '5066991111111118', brand: 'elo', ...APPROVED },
  { number: '6062828888666688', brand: 'hipercard', ...APPROVED },
  { number: '378282246310005', brand: 'amex', ...APPROVED },
  { number: '36006666333344', brand: 'diners', ...APPROVED },
  {
    number: '4000000000000002',
    brand: 'visa',
    outcome: 'declined',
    meaning: { en: 'declined', 'pt-BR': 'recusado' },
  },
  {
    number: '4000000000000010',
    brand: 'visa',
    outcome: 'review',
    meaning: { en: 'held for review until you decide', 'pt-BR': 'em análise até você decidir' },
  },
  {
    number: '4000000000000044',
    brand: 'visa',
    outcome: 'review',
    later: { status: 'COMPLETE', afterMs: SOON_MS },
    meaning: {
      en: 'held for review, approved after 5 minutes',
      'pt-BR': 'em análise, aprovado após 5 minutos',
    },
  },
  {
    number: '4000000000000051',
    brand: 'visa',
    outcome: 'review',
    later: { status: 'CANCELLED', afterMs: SOON_MS },
    meaning: {
      en: 'held for review, cancelled after 5 minutes',
      'pt-BR': 'em análise, cancelado após 5 minutos',
    },
  },
  {
    number: '4000000000000028',
    brand: 'visa',
    outcome: 'pending',
    meaning: { en: 'pending until you decide', 'pt-BR': 'pendente até você decidir' },
  },
  {
    number: '4000000000000069',
    brand: 'visa',
    outcome: 'pending',
    later: { status: 'COMPLETE', afterMs: SOON_MS },
    meaning: {
      en: 'pending, complete after 5 minutes',
      'pt-BR': 'pendente, concluído após 5 minutos',
    },
  },
  {
    number: '4000000000000077',
    brand: 'visa',
    outcome: 'approved',
    later: { status: 'CHARGEBACK', afterMs: DAY_MS },
    meaning: {
      en: 'approved, charged back after 1 day',
      'pt-BR': 'aprovado, contestado (chargeback) após 1 dia',
    },
  },
  {
    number: '4000000000000036',
    brand: 'visa',
    outcome: 'unknown',
    meaning: { en: 'the provider does not answer', 'pt-BR': 'o provedor não responde' },
  },
]

/** The test card that a summary is of. */
export function testCardOf({
  bin,
  lastFour,
}: Pick<CardSummary, 'bin' | 'lastFour'>): TestCard | undefined {
  return TEST_CARDS.find(({ number }) => number.startsWith(bin) && number.endsWith(lastFour))
}
