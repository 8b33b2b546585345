import { isDeepStrictEqual } from 'node:util'
import { ConditionsForm, NoticeTable } from '@cofre/provider-kit/simulator'
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
    { name: 'issue', label: texts.issue, choices: texts.issueChoices, chosen: String(issue) },
    { name: 'notices', label: texts.notices, choices: texts.noticeChoices, chosen: notices },
    { name: 'refunds', label: texts.refunds, choices: texts.refundChoices, chosen: refunds },
    { name: 'delayMs', label: texts.delay, choices: texts.delayChoices, chosen: String(delayMs) },
    {
      name: 'connection',
      label: texts.connection,
      choices: texts.connectionChoices,
      chosen: connection,
    },
  ]
  return <ConditionsForm view={view} texts={texts} isCalm={isCalm} choices={choices} />
}

interface NoticesProps {
  readonly view: View
  readonly attempts: readonly CallbackAttempt[]
}

/** The notices, and the responses of the shop's system. */
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
          show: ({ payload }) =>
            payload.map((notified) => boletos.statuses[notified.situacao]).join(', '),
        },
        { label: notices.attempt, show: ({ number }) => number },
      ]}
    />
  )
}
