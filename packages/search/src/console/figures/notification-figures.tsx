import type { StoreFigures } from '../../model/store-figures.js'
import { fill } from '@cofre/pages'
import { DayBars } from './chart.js'
import { type Compared, Subject, daysOf, useFormats } from './subject.js'
import { FIGURES_TEXTS } from './texts.js'
import { useTexts } from '@cofre/panel/page'

export function Notifications({ now, before }: Compared) {
  const texts = useTexts(FIGURES_TEXTS).figures
  const format = useFormats()
  const share = ({ notifications }: StoreFigures) =>
    format.rate(
      notifications.reduce((sum, { acknowledged }) => sum + acknowledged, 0),
      notifications.reduce((sum, { notified }) => sum + notified, 0),
    )
  const series = [
    { key: 'acknowledged', label: texts.health.acknowledged },
    { key: 'late', label: texts.health.late },
  ]
  const ofDay = new Map(now.notifications.map((tally) => [tally.day, tally]))
  const valueOf = (day: number, key: string) => {
    const { notified = 0, acknowledged = 0 } = ofDay.get(day) ?? {}
    return key === 'acknowledged' ? acknowledged : notified - acknowledged
  }
  return (
    <Subject
      title={texts.health.title}
      summary={[fill(texts.health.sum, { rate: share(now), before: share(before) })]}
      chart={
        <DayBars
          id="health"
          label={texts.health.title}
          days={daysOf(now)}
          series={series}
          valueOf={valueOf}
          format={format.count}
          formatDay={format.day}
        />
      }
      columns={[texts.day, texts.health.notified, texts.health.acknowledged, texts.health.rate]}
      rows={now.notifications.map(({ day, notified, acknowledged }) => [
        format.day(day),
        format.count(notified),
        format.count(acknowledged),
        format.rate(acknowledged, notified),
      ])}
    />
  )
}
