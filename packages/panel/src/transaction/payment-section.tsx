import { encodeQR } from 'qr'
import type { PaymentDetails } from '@cofre/gateway'
import type { TransactionReport } from '@cofre/sandbox'
import { formatDay } from '../language/format.js'
import { Copyable, Fact } from '../page/shown-value.js'
import type { View } from '../panel-context.js'
import { transactionMessages } from './transaction-messages.js'

interface PaymentSectionProps {
  readonly view: View
  readonly transaction: TransactionReport
  readonly sandboxUrl: string
}

/** What the payer has of the payment: a boleto, a PIX code, a wallet's page. */
export function PaymentSection(props: PaymentSectionProps) {
  const details = props.transaction.paymentDetails
  if (details === undefined) return null
  const texts = transactionMessages[props.view.language]
  switch (details.kind) {
    case 'boleto':
      return <Boleto {...props} details={details} texts={texts.boleto} />
    case 'pix':
      return <Pix {...props} details={details} texts={texts.pix} />
    case 'wallet':
      return <Wallet {...props} details={details} texts={texts.wallet} />
  }
}

type Texts = (typeof transactionMessages)['en']
type DetailsOf<Kind extends PaymentDetails['kind']> = PaymentSectionProps & {
  readonly details: Extract<PaymentDetails, { kind: Kind }>
  readonly texts: Texts[Kind]
}

function Boleto({ view, transaction, sandboxUrl, details, texts }: DetailsOf<'boleto'>) {
  return (
    <section class="card">
      <h2>{texts.title}</h2>
      <Copyable
        view={view}
        id="boleto-line"
        text={details.digitableLine}
        label={texts.line}
        block
      />
      <dl class="facts">
        <Fact term={texts.due}>{formatDay(details.dueDate, view.language)}</Fact>
      </dl>
      <a class="button" href={`${sandboxUrl}/b/${transaction.publicId}`}>
        {texts.page}
      </a>
    </section>
  )
}

function Pix({ view, details, texts }: DetailsOf<'pix'>) {
  return (
    <section class="card">
      <h2>{texts.title}</h2>
      <div class="pix">
        <img
          class="qr"
          src={qrPicture(details.code)}
          alt={texts.picture}
          width={176}
          height={176}
        />
        <Copyable view={view} id="pix-code" text={details.code} label={texts.code} block />
      </div>
    </section>
  )
}

/** Four modules of quiet zone (ISO/IEC 18004); the library draws on nothing, which a dark page would show through. */
function qrPicture(code: string): string {
  const svg = encodeQR(code, 'svg', { ecc: 'medium', border: 4 }).replace(
    '>',
    '><rect width="100%" height="100%" fill="#fff"/>',
  )
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
}

function Wallet({ details, texts }: DetailsOf<'wallet'>) {
  return (
    <section class="card">
      <h2>{texts.title}</h2>
      <a class="button" href={details.paymentUrl}>
        {texts.page}
      </a>
    </section>
  )
}
