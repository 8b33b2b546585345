import { isDeepStrictEqual } from 'node:util'
import { Choice } from '../../page/choice.js'
import { NoticeTable } from '../../page/notice-table.js'
import { PostForm } from '../../page/view.js'
import type { CallbackAttempt } from '../callbacks.js'
import { CALM_INTER, type InterConditions } from '../inter.js'
import type { View } from './view.js'

interface ConditionsProps {
  readonly view: View
  readonly conditions: InterConditions
}

export function InterConditionsForm({ view, conditions }: ConditionsProps) {
  const texts = view.texts.conditions
  const { issue, notices, refunds, delayMs, connection } = conditions
  const isCalm = isDeepStrictEqual({ issue, notices, refunds, delayMs, connection }, CALM_INTER)
  const choices = [
    ['issue', texts.issue, texts.issueChoices, String(issue)],
    ['notices', texts.notices, texts.noticeChoices, notices],
    ['refunds', texts.refunds, texts.refundChoices, refunds],
    ['delayMs', texts.delay, texts.delayChoices, String(delayMs)],
    ['connection', texts.connection, texts.connectionChoices, connection],
  ] as const
  return (
    <details class="card" open={!isCalm}>
      <summary>{texts.title}</summary>
      <PostForm view={view} action="/conditions">
        {choices.map(([name, label, offered, chosen]) => (
          <Choice name={name} label={label} choices={offered} chosen={chosen} />
        ))}
        <button>{texts.apply}</button>
      </PostForm>
    </details>
  )
}

interface NoticesProps {
  readonly view: View
  readonly attempts: readonly CallbackAttempt[]
}

/** What was told, and how the shop's system answered. */
export function SentCallbacks({ view, attempts }: NoticesProps) {
  const { notices, boletos } = view.texts
  return (
    <NoticeTable
      view={view}
      texts={notices}
      attempts={attempts}
      columns={[
        {
          label: notices.said,
          show: ({ payload }) => payload.map((told) => boletos.statuses[told.situacao]).join(', '),
        },
        { label: notices.attempt, show: ({ number }) => number },
      ]}
    />
  )
}
