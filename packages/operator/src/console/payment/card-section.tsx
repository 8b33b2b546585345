import type { AppliedCardChange } from '@cofre/gateway/room'
import type { TransactionDetails } from '../../model/payment-file.js'
import { type AccountNames, Facts, Time, useView, useTexts, formatMoney } from '@cofre/panel/page'
import { PAYMENT_TEXTS } from './texts.js'

interface CardSectionProps extends Pick<TransactionDetails, 'transaction' | 'cardChanges'> {
  readonly accounts: AccountNames
}

/** A card's charge at an account's acquirer, and the acquirer's later reports on it. */
export function CardSection({ accounts, transaction, cardChanges }: CardSectionProps) {
  const texts = useTexts(PAYMENT_TEXTS).acquirer
  const { paymentDetails: details } = transaction
  const charge = details?.kind === 'card' ? details.charge : undefined
  if (charge === undefined && cardChanges.length === 0) return null
  const shift = charge?.liabilityShift
  return (
    <section class="card">
      <h2>{texts.title}</h2>
      {charge !== undefined && (
        <Facts
          facts={[
            [
              texts.account,
              <>
                {accounts.of(charge.accountId, charge.provider)}{' '}
                <code class="minor">{charge.accountId}</code>
              </>,
            ],
            [texts.payment, charge.paymentId !== undefined && <code>{charge.paymentId}</code>],
            ['NSU', charge.nsu !== undefined && <code>{charge.nsu}</code>],
            [
              texts.authorization,
              charge.authorizationCode !== undefined && <code>{charge.authorizationCode}</code>,
            ],
            [texts.liability, shift !== undefined && (shift ? texts.issuer : texts.store)],
          ]}
        />
      )}
      {cardChanges.map((change) => (
        <OneChange {...change} />
      ))}
    </section>
  )
}

function OneChange({ amountMinor, atMs, detail, kind }: AppliedCardChange) {
  const view = useView()
  const texts = PAYMENT_TEXTS[view.language].acquirer
  return (
    <article class="part" aria-label={texts.changes[kind]}>
      <p>
        {amountMinor !== undefined && <strong>{formatMoney(amountMinor, view.language)} </strong>}
        {texts.changes[kind]}
      </p>
      <Facts
        facts={[
          [texts.at, <Time ms={atMs} />],
          [texts.detail, detail],
        ]}
      />
    </article>
  )
}
