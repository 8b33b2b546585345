import type { Decline } from '@cofre/contracts'
import { explainDecline, shopperTextOf } from '@cofre/contracts/declines'
import { Facts, Time, useView, useTexts } from '@cofre/panel/page'
import { PAYMENT_TEXTS } from './texts.js'

interface DeclineSectionProps {
  readonly decline: Decline
  readonly declinedAtMs: number
}

/** Why a card was declined, what to do, and which part of that its holder may know. */
export function DeclineSection({ decline, declinedAtMs }: DeclineSectionProps) {
  const view = useView()
  const texts = PAYMENT_TEXTS[view.language].decline
  const { reason, code } = decline
  const { meaning, advice } = explainDecline(reason, view.language)
  return (
    <section class="card">
      <h2>{texts.title}</h2>
      <Facts
        facts={[
          [texts.reason, meaning],
          [texts.advice, advice],
          [texts.retry, <Retry decline={decline} declinedAtMs={declinedAtMs} />],
          [texts.shopper, shopperTextOf(reason, view.language)],
        ]}
      />
      <p>
        <small>
          <code>{reason}</code>
          {code !== undefined && (
            <>
              {' '}
              · {texts.code} <code>{code}</code>
            </>
          )}
        </small>
      </p>
    </section>
  )
}

function Retry({ decline: { retry }, declinedAtMs }: DeclineSectionProps) {
  const texts = useTexts(PAYMENT_TEXTS).decline
  if (retry.kind !== 'allowed') return <>{texts[retry.kind]}</>
  if (retry.afterMs === 0) return <>{texts.atOnce}</>
  return (
    <>
      {texts.from} <Time ms={declinedAtMs + retry.afterMs} />
    </>
  )
}
