import { type BoletoDetails, type Transaction, isBeingIssued } from '@cofre/gateway/room'
import { Copyable, Facts, qrPicture, useView, useTexts, formatDay } from '@cofre/panel/page'
import { DeclineSection } from './decline-section.js'
import { PAYMENT_TEXTS } from './texts.js'

interface PaymentSectionProps {
  readonly transaction: Transaction
  readonly apiUrl: string
  /** The path of a boleto's PDF by its bank. */
  readonly slipPath: string | undefined
}

/** The payer's data of a payment, or why a card was declined. */
export function PaymentSection(props: PaymentSectionProps) {
  const { paymentDetails: details, statusChangedAtMs } = props.transaction
  const view = useView()
  const texts = PAYMENT_TEXTS[view.language].transaction
  switch (details?.kind) {
    case undefined:
      return null
    case 'card':
      if (details.decline === undefined) return null
      return <DeclineSection decline={details.decline} declinedAtMs={statusChangedAtMs} />
    case 'boleto':
      return <BoletoSection {...props} details={details} />
    case 'pix':
      return (
        <section class="card">
          <h2>{texts.pix}</h2>
          <PixCode code={details.code} />
        </section>
      )
    case 'wallet':
      if (!view.may('payers:unmasked')) return null
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

interface BoletoSectionProps extends PaymentSectionProps {
  readonly details: BoletoDetails
}

function BoletoSection({ transaction, apiUrl, details, slipPath }: BoletoSectionProps) {
  const view = useView()
  const texts = PAYMENT_TEXTS[view.language].transaction
  const { digitableLine, dueDate, pixCode } = details
  return (
    <section class="card">
      <h2>{texts.boleto}</h2>
      {isBeingIssued(transaction) && <p>{texts.issuing}</p>}
      {digitableLine !== undefined && (
        <Copyable id="boleto-line" text={digitableLine} label={texts.line} block />
      )}
      {pixCode !== undefined && <PixCode code={pixCode} />}
      <Facts facts={[[texts.due, formatDay(dueDate, view.language)]]} />
      {/* Both name the payer in full. */}
      {view.may('payers:unmasked') && (
        <div class="actions">
          <a class="button quiet" href={`${apiUrl}/b/${transaction.publicId}`}>
            {texts.boletoPage}
          </a>
          {slipPath !== undefined && (
            <a class="button quiet" href={apiUrl + slipPath}>
              {texts.bankSlip}
            </a>
          )}
        </div>
      )}
    </section>
  )
}

function PixCode({ code }: { readonly code: string }) {
  const texts = useTexts(PAYMENT_TEXTS).transaction
  return (
    <div class="pix">
      <img src={qrPicture(code)} alt={texts.picture} width={176} height={176} />
      <Copyable id="pix-code" text={code} label={texts.pixCode} block />
    </div>
  )
}
