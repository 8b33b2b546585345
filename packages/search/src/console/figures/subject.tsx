import { minorUnits } from '@cofre/contracts'
import type { DayTally, StoreFigures } from '../../model/store-figures.js'
import { fill } from '@cofre/pages'
import type { Child } from 'hono/jsx'
import { useView, useTexts, formatCount, formatDay, formatMoney, dateOf } from '@cofre/panel/page'
import { Bars, DayBars, type Series } from './chart.js'
import { FIGURES_TEXTS } from './texts.js'

/** A period's figures, and those of the period before it. */
export interface Compared {
  readonly now: StoreFigures
  readonly before: StoreFigures
}

interface SubjectProps {
  readonly title: string
  /** The totals of this period and of the one before. */
  readonly summary: readonly string[]
  readonly chart: Child
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** A chart with its summary in words, and its table. */
export function Subject({ title, summary, chart, columns, rows }: SubjectProps) {
  const texts = useTexts(FIGURES_TEXTS).figures
  return (
    <section class="card figure">
      <h2>{title}</h2>
      {rows.length === 0 ? (
        <p class="hint">{texts.nothing}</p>
      ) : (
        <>
          {summary.map((line) => (
            <p>{line}</p>
          ))}
          {chart}
          <details data-keep={`table-${title}`}>
            <summary>{texts.table}</summary>
            <div class="scroll" tabindex={0} role="group" aria-label={title}>
              <table aria-label={title}>
                <thead>
                  <tr>
                    {columns.map((column) => (
                      <th scope="col">{column}</th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {rows.map(([first, ...rest]) => (
                    <tr>
                      <th scope="row">{first}</th>
                      {rest.map((cell) => (
                        <td class="number">{cell}</td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          </details>
        </>
      )}
    </section>
  )
}

/** Formats values for texts. */
export function useFormats() {
  const { language } = useView()
  const { noRate } = useTexts(FIGURES_TEXTS).figures
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 })
  const shortMoney = new Intl.NumberFormat(language, {
    style: 'currency',
    currency: 'BRL',
    currencyDisplay: language === 'pt-BR' ? 'symbol' : 'code',
    notation: 'compact',
    maximumSignificantDigits: 3,
  })
  return {
    money: (amount: number) => formatMoney(minorUnits(Math.round(amount)), language),
    shortMoney: (amount: number) => shortMoney.format(amount / 100),
    count: (count: number) => formatCount(count, language),
    day: (day: number) => formatDay(dateOf(day), language),
    rate: (part: number, of: number) => (of === 0 ? noRate : percent.format(part / of)),
  }
}

export function daysOf({ period }: StoreFigures): readonly number[] {
  const { fromDay, untilDay } = period
  return Array.from({ length: untilDay - fromDay }, (_, index) => fromDay + index)
}

interface AmountsProps {
  readonly id: string
  readonly title: string
  readonly figures: StoreFigures
  readonly tallies: readonly DayTally[]
  readonly series: readonly Series[]
}

export function Amounts({ id, title, figures, tallies, series }: AmountsProps) {
  const texts = useTexts(FIGURES_TEXTS).figures
  const format = useFormats()
  const [only, ...others] = new Set(tallies.map(({ day }) => day))
  if (only !== undefined && others.length === 0) {
    const bars = tallies.map(({ of, amount }) => ({
      label: labelOf(series, of),
      value: amount,
      text: format.money(amount),
    }))
    return (
      <>
        <p>{fill(texts.oneDay, { day: format.day(only) })}</p>
        <Bars id={id} label={title} bars={bars} />
      </>
    )
  }
  const amounts = new Map(tallies.map(({ day, of, amount }) => [`${day} ${of}`, amount]))
  return (
    <DayBars
      id={id}
      label={title}
      days={daysOf(figures)}
      series={series.filter(({ key }) => tallies.some(({ of }) => of === key))}
      valueOf={(day, key) => amounts.get(`${day} ${key}`) ?? 0}
      format={format.money}
      formatTick={format.shortMoney}
      formatDay={format.day}
    />
  )
}

export function labelOf(series: readonly Series[], key: string): string {
  return series.find((one) => one.key === key)?.label ?? key
}
