import type { Language } from '@cofre/pages'
import { createContext, useContext } from 'hono/jsx'
import {
  BANK_LIST,
  type SettlementFormats,
  createSettlementFormats,
} from '../model/settlement-formats.js'
import type { SettlementSource } from '../model/settlement.js'
import { SETTLEMENT_TEXTS } from './texts.js'

/** The formats of payout files that can be uploaded, for a page's components. */
export const FormatsContext = createContext(createSettlementFormats([]))

export function useFormats(): SettlementFormats {
  return useContext(FormatsContext)
}

/** The source of lines; for an unknown format, its name. */
export function sourceText(
  source: SettlementSource,
  language: Language,
  formats: SettlementFormats,
): string {
  if (source === BANK_LIST) return SETTLEMENT_TEXTS[language].settlements.bankList
  return formats.find(source)?.titles[language] ?? source
}
