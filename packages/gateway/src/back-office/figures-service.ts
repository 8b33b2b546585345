import {
  type FiguresPeriod,
  type StoreFigures,
  storeFigures,
} from '../model/figures/store-figures.js'
import { dayNumberInBrasilia } from '../model/calendar/brazilian-calendar.js'
import type { GatewayDeps } from '../payment/gateway-deps.js'

/** What happened in a store, counted by day. */
export type Figures = ReturnType<typeof createFigures>

export function createFigures({ figures, clock }: GatewayDeps) {
  return {
    /** The day that it is in Brasília, since 1970. */
    today: () => dayNumberInBrasilia(clock.now()),

    /** A period with the one before it, which is as long. */
    async read(
      storeId: string,
      { fromDay, untilDay }: FiguresPeriod,
    ): Promise<{ readonly now: StoreFigures; readonly before: StoreFigures }> {
      const firstDay = 2 * fromDay - untilDay
      const rows = await figures.read(storeId, { fromDay: firstDay, untilDay })
      const of = (period: FiguresPeriod) =>
        storeFigures(
          period,
          rows.filter(({ day }) => day >= period.fromDay && day < period.untilDay),
        )
      return {
        now: of({ fromDay, untilDay }),
        before: of({ fromDay: firstDay, untilDay: fromDay }),
      }
    },
  }
}
