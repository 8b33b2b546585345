import type { Clock } from '@cofre/contracts'
import {
  type CountedFigure,
  type FiguresPeriod,
  type StoreFigures,
  storeFigures,
  without,
} from '../model/figures/store-figures.js'
import { dayNumberInBrasilia } from '../model/calendar/brazilian-calendar.js'
import type { FiguresStore } from '../payment/ports.js'

/** What happened in a store, counted by day. */
export type Figures = ReturnType<typeof createFigures>

export interface FiguresDeps {
  readonly clock: Clock
  readonly figures: FiguresStore
}

export function createFigures({ figures, clock }: FiguresDeps) {
  return {
    /** The day that it is in Brasília, since 1970. */
    today: () => dayNumberInBrasilia(clock.now()),

    /** Of example payments, which figures may leave out; undefined where there are none. */
    examplesOf: (storeId: string) => figures.examplesOf(storeId),

    /** A period with the one before it, which is as long. */
    async read(
      storeId: string,
      { fromDay, untilDay }: FiguresPeriod,
      leftOut?: 'examples',
    ): Promise<{ readonly now: StoreFigures; readonly before: StoreFigures }> {
      const firstDay = 2 * fromDay - untilDay
      const all = await figures.read(storeId, { fromDay: firstDay, untilDay })
      const parts = leftOut && (await figures.ofExamples(storeId))
      const rows: readonly CountedFigure[] = parts === undefined ? all : without(all, parts)
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
