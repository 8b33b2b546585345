import { BANK_LIST, type SettlementSource } from '@cofre/settlements'
import type { View } from '../frame/visit.js'
import { SETTLEMENT_TEXTS } from './texts.js'

/** Where lines come from; of a format that no reader knows, its name. */
export function sourceText(
  source: SettlementSource,
  { language, settlementFormats }: View,
): string {
  if (source === BANK_LIST) return SETTLEMENT_TEXTS[language].settlements.bankList
  return settlementFormats.find(source)?.titles[language] ?? source
}
