import { isDeepStrictEqual } from 'node:util'
import { ConditionsForm, NoticeTable } from '@cofre/provider-kit/simulator'
import { CALM, type Conditions } from '../conditions.js'
import type { NoticeAttempt } from '../notices.js'
import type { View } from './view.js'

interface ConditionsProps {
  readonly view: View
  readonly conditions: Conditions
}

export function BankConditions({ view, conditions }: ConditionsProps) {
  const texts = view.texts.conditions
  const { notices, refunds, delayMs, connection, lifetime } = conditions
  const isCalm = isDeepStrictEqual(conditions, CALM)
  const choices = [
    { name: 'notices', label: texts.notices, choices: texts.noticeChoices, chosen: notices },
    { name: 'refunds', label: texts.refunds, choices: texts.refundChoices, chosen: refunds },
    { name: 'delayMs', label: texts.delay, choices: texts.delayChoices, chosen: String(delayMs) },
    {
      name: 'connection',
      label: texts.connection,
      choices: texts.connectionChoices,
      chosen: connection,
    },
    { name: 'lifetime', label: texts.lifetime, choices: texts.lifetimeChoices, chosen: lifetime },
  ]
  return <ConditionsForm view={view} texts={texts} isCalm={isCalm} choices={choices} />
}

interface NoticesProps {
  readonly view: View
  readonly attempts: readonly NoticeAttempt[]
}

/** The notices, and the responses of the shop's system. */
export function SentNotices({ view, attempts }: NoticesProps) {
  const texts = view.texts.notices
  return (
    <NoticeTable
      view={view}
      texts={texts}
      attempts={attempts}
      columns={[
        { label: texts.payments, show: ({ endToEndIds }) => <code>{endToEndIds.join(' ')}</code> },
      ]}
    />
  )
}
