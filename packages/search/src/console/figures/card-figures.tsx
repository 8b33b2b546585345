import { explainDecline } from '@cofre/contracts/declines'
import type { ApprovalRate, StoreFigures } from '../../model/store-figures.js'
import { fill, properName } from '@cofre/pages'
import { type AccountNames, useView, useTexts } from '@cofre/panel/page'
import { Bars } from './chart.js'
import { type Compared, Subject, useFormats } from './subject.js'
import { FIGURES_TEXTS } from './texts.js'

interface ApprovalsProps extends Compared {
  readonly accounts: AccountNames
}

export function Approvals({ now, before, accounts }: ApprovalsProps) {
  const texts = useTexts(FIGURES_TEXTS).figures
  const format = useFormats()
  const rateOf = ({ approved, declined }: ApprovalRate) =>
    format.rate(approved, approved + declined)
  const rows = [
    ...ratesOf(now.approvalByBrand, before.approvalByBrand, (brand) =>
      [texts.approval.brand, properName(brand)].join(': '),
    ),
    ...ratesOf(now.approvalByAccount, before.approvalByAccount, (id) =>
      [texts.approval.account, accounts.of(id)].join(': '),
    ),
  ]
  return (
    <Subject
      title={texts.approval.title}
      summary={[
        fill(texts.approval.sum, {
          rate: rateOf(totalOf(now.approvalByBrand)),
          before: rateOf(totalOf(before.approvalByBrand)),
        }),
      ]}
      chart={
        <Bars
          id="approval"
          label={texts.approval.title}
          whole={1}
          bars={rows.map(({ rate, name }) => ({
            label: name,
            value: rate.approved / (rate.approved + rate.declined),
            text: rateOf(rate),
          }))}
        />
      }
      columns={[
        texts.approval.of,
        texts.approval.approved,
        texts.approval.declined,
        texts.approval.rate,
        texts.before,
      ]}
      rows={rows.map(({ rate, name, then }) => [
        name,
        format.count(rate.approved),
        format.count(rate.declined),
        rateOf(rate),
        rateOf(then),
      ])}
    />
  )
}

function totalOf(rates: readonly ApprovalRate[]): ApprovalRate {
  return {
    of: '',
    approved: rates.reduce((sum, { approved }) => sum + approved, 0),
    declined: rates.reduce((sum, { declined }) => sum + declined, 0),
  }
}

/** Includes the rates of the period before. The sandbox asks no account. */
function ratesOf(
  rates: readonly ApprovalRate[],
  before: readonly ApprovalRate[],
  nameOf: (of: string) => string,
) {
  return rates
    .filter(({ of }) => of !== '')
    .map((rate) => ({
      rate,
      name: nameOf(rate.of),
      then: totalOf(before.filter(({ of }) => of === rate.of)),
    }))
}

export function Declines({ now, before }: Compared) {
  const view = useView()
  const texts = FIGURES_TEXTS[view.language].figures
  const format = useFormats()
  const sum = (figures: StoreFigures) =>
    format.count(figures.declines.reduce((all, { count }) => all + count, 0))
  const then = (reason: string) =>
    before.declines.find((decline) => decline.reason === reason)?.count ?? 0
  return (
    <Subject
      title={texts.declines.title}
      summary={[fill(texts.declines.sum, { count: sum(now), before: sum(before) })]}
      chart={
        <Bars
          id="declines"
          label={texts.declines.title}
          bars={now.declines.map(({ reason, count }) => ({
            label: explainDecline(reason, view.language).meaning,
            value: count,
            text: format.count(count),
          }))}
        />
      }
      columns={[texts.declines.reason, texts.count, texts.before, texts.declines.code]}
      rows={now.declines.map(({ reason, count }) => [
        explainDecline(reason, view.language).meaning,
        format.count(count),
        format.count(then(reason)),
        reason,
      ])}
    />
  )
}
