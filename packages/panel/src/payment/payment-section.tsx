import type { Transaction } from '@cofre/gateway'
import { Copyable, Facts } from '../frame/parts.js'
import { qrPicture } from '../frame/qr-picture.js'
import { useView } from '../frame/visit.js'
import { formatDay } from '../text/format.js'
import { DeclineSection } from './decline-section.js'

interface PaymentSectionProps {
  readonly transaction: Transaction
  readonly apiUrl: string
}

/** What the payer has of a payment, or why a card was declined. */
export function PaymentSection({ transaction, apiUrl }: PaymentSectionProps) {
  const { paymentDetails: details, publicId, statusChangedAtMs } = transaction
  const view = useView()
  const texts = view.texts.transaction
  switch (details?.kind) {
    case undefined:
      return null
    case 'card':
      if (details.decline === undefined) return null
      return <DeclineSection decline={details.decline} declinedAtMs={statusChangedAtMs} />
    case 'boleto':
      return (
        <section class="card">
          <h2>{texts.boleto}</h2>
          {details.digitableLine !== undefined && (
            <Copyable id="boleto-line" text={details.digitableLine} label={texts.line} block />
          )}
          <Facts facts={[[texts.due, formatDay(details.dueDate, view.language)]]} />
          <a class="button quiet" href={`${apiUrl}/b/${publicId}`}>
            {texts.boletoPage}
          </a>
        </section>
      )
    case 'pix':
      return (
        <section class="card">
          <h2>{texts.pix}</h2>
          <div class="pix">
            <img src={qrPicture(details.code)} alt={texts.picture} width={176} height={176} />
            <Copyable id="pix-code" text={details.code} label={texts.pixCode} block />
          </div>
        </section>
      )
    case 'wallet':
      return (
        <section class="card">
          <h2>{texts.wallet}</h2>
          <a class="button quiet" href={details.paymentUrl}>
            {texts.walletPage}
          </a>
        </section>
      )
  }
}
