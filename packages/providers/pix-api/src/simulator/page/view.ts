import { formatMoney, messages } from '@cofre/pages'
import type { PageView } from '@cofre/provider-kit/simulator'
import en from './en.json' with { type: 'json' }
import pt from './pt-BR.json' with { type: 'json' }

export const TEXTS = messages({ 'pt-BR': pt, en })
export type Texts = (typeof TEXTS)['en']

export interface View extends PageView {
  readonly texts: Texts
  readonly nowMs: number
}

export function money({ language }: PageView, centavos: number): string {
  return formatMoney(centavos, language)
}

/** A day of the bank's calendar, from `YYYY-MM-DD`. */
export function dayText({ language }: PageView, day: string): string {
  const [year, month, date] = day.split('-')
  return language === 'pt-BR' ? `${date}/${month}/${year}` : day
}
