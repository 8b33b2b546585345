import type { Clock } from '@cofre/contracts'
import {
  type CountedFigure,
  type Figures,
  type FiguresPeriod,
  storeFigures,
  without,
} from './model/store-figures.js'
import { dayNumberInBrasilia } from '@cofre/gateway/room'
import type { FiguresStore } from './model/stores.js'

export interface FiguresDeps {
  readonly clock: Clock
  readonly figures: FiguresStore
}

export function createFigures({ figures, clock }: FiguresDeps): Figures {
  return {
    today: () => dayNumberInBrasilia(clock.now()),

    examplesOf: (storeId) => figures.examplesOf(storeId),

    async read(storeId, { fromDay, untilDay }, leftOut) {
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
