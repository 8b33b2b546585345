import type { Clock } from '@cofre/contracts'
import {
  type CountedFigure,
  type FiguresPeriod,
  type StoreFigures,
  storeFigures,
  without,
} from './model/store-figures.js'
import { dayNumberInBrasilia } from '@cofre/gateway/room'
import type { FiguresStore } from './model/stores.js'

/** What happened in a store, counted by day. */
export interface Figures {
  /** The day that it is in Brasília, since 1970. */
  today(): number
  /** Of example payments, which figures may leave out; undefined where there are none. */
  examplesOf(storeId: string): Promise<'making' | 'made' | undefined>
  /** A period with the one before it, which is as long. */
  read(storeId: string, period: FiguresPeriod, leftOut?: 'examples'): Promise<ComparedFigures>
}

export interface ComparedFigures {
  readonly now: StoreFigures
  readonly before: StoreFigures
}

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
