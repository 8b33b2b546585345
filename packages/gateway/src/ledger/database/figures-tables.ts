import type { FigureName } from '../../model/figures/payment-figures.js'

/** A store's payments of a day, counted. Holds no person. */
export interface DailyFigureRow {
  merchant_id: string
  figure: FigureName
  /** Since 1970, in Brasília. */
  day: number
  method: string
  /** A brand, a reason or a span of time; empty where the figure has none. */
  detail: string
  /** Empty where no account was asked. */
  account_id: string
  count: number
  /** In centavos. */
  amount: number
}

export interface FiguresTables {
  daily_figures: DailyFigureRow
}
