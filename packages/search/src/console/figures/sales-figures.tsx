import { type Conversion, type StoreFigures, tallyOf } from '../../model/store-figures.js'
import { fill } from '@cofre/pages'
import { useView, useTexts } from '@cofre/panel/page'
import { type Bar, Bars } from './chart.js'
import { Amounts, type Compared, Subject, labelOf, useFormats } from './subject.js'
import { FIGURES_TEXTS } from './texts.js'

export function Volume(compared: Compared) {
  return <ByMethod {...compared} of="volume" />
}

/** Only for a store with such payments: others don't know them. */
export function Authorized(compared: Compared) {
  const { now, before } = compared
  if (now.authorized.length + before.authorized.length === 0) return null
  return <ByMethod {...compared} of="authorized" />
}

interface ByMethodProps extends Compared {
  /** The tallies, whose texts have the same name. */
  readonly of: 'volume' | 'authorized'
}

/** Amounts by day and method. */
function ByMethod({ now, before, of }: ByMethodProps) {
  const texts = useTexts(FIGURES_TEXTS).figures
  const { methods } = useView().texts
  const format = useFormats()
  const series = Object.entries(methods).map(([key, label]) => ({ key, label }))
  const { title, sum } = texts[of]
  const [total, then] = [tallyOf(now[of]), tallyOf(before[of])]
  return (
    <Subject
      title={title}
      summary={[
        fill(sum, {
          amount: format.money(total.amount),
          count: format.count(total.count),
          before: format.money(then.amount),
          countBefore: format.count(then.count),
        }),
      ]}
      chart={<Amounts id={of} title={title} figures={now} tallies={now[of]} series={series} />}
      columns={[texts.day, texts.method, texts.count, texts.amount]}
      rows={now[of].map((tally) => [
        format.day(tally.day),
        labelOf(series, tally.of),
        format.count(tally.count),
        format.money(tally.amount),
      ])}
    />
  )
}

export function Conversions({ now, before }: Compared) {
  const texts = useTexts(FIGURES_TEXTS).figures
  const { methods } = useView().texts
  const format = useFormats()
  const paid = ({ paidWithin }: Conversion) =>
    Object.values(paidWithin).reduce((sum, count) => sum + count, 0)
  const nameOf = (method: string) =>
    Object.entries(methods).find(([key]) => key === method)?.[1] ?? method
  const spans = Object.entries(texts.conversion.within)
  const bars = now.conversions.flatMap((one): Bar[] => [
    {
      label: nameOf(one.method),
      value: paid(one) / Math.max(1, one.created),
      text: format.rate(paid(one), one.created),
    },
  ])
  return (
    <Subject
      title={texts.conversion.title}
      summary={now.conversions.map((one) => {
        const then = before.conversions.find(({ method }) => method === one.method)
        return fill(texts.conversion.sum, {
          method: nameOf(one.method),
          paid: format.count(paid(one)),
          created: format.count(one.created),
          rate: format.rate(paid(one), one.created),
          before: then === undefined ? format.rate(0, 0) : format.rate(paid(then), then.created),
        })
      })}
      chart={<Bars id="conversion" label={texts.conversion.title} whole={1} bars={bars} />}
      columns={[texts.method, texts.conversion.created, ...spans.map(([, text]) => text)]}
      rows={now.conversions.map((one) => [
        nameOf(one.method),
        format.count(one.created),
        ...spans.map(([span]) =>
          format.count(one.paidWithin[span as keyof Conversion['paidWithin']]),
        ),
      ])}
    />
  )
}

export function Returned({ now, before }: Compared) {
  const texts = useTexts(FIGURES_TEXTS).figures
  const format = useFormats()
  const series = Object.entries(texts.returned.kinds).map(([key, label]) => ({ key, label }))
  const sum = (figures: StoreFigures, key: string) =>
    figures.returned.filter(({ of }) => of === key).reduce((all, { amount }) => all + amount, 0)
  return (
    <Subject
      title={texts.returned.title}
      summary={series.map(({ key, label }) =>
        fill(texts.returned.sum, {
          kind: label,
          amount: format.money(sum(now, key)),
          before: format.money(sum(before, key)),
        }),
      )}
      chart={
        <Amounts
          id="returned"
          title={texts.returned.title}
          figures={now}
          tallies={now.returned}
          series={series}
        />
      }
      columns={[texts.day, texts.returned.kind, texts.count, texts.amount]}
      rows={now.returned.map(({ day, of, count, amount }) => [
        format.day(day),
        labelOf(series, of),
        format.count(count),
        format.money(amount),
      ])}
    />
  )
}
