import { formatCentavos } from '../centavos.js'
import type { Language } from '../language/language.js'
import type { Messages } from '../language/messages.js'
import { PanelHint } from '../page/demo-hint.js'
import { formatDay, formatTime } from '../page/format-time.js'
import { walletPath } from '../wallet/wallet-path.js'
import { boletoDueDate, printedLine } from './boleto-due-date.js'
import { CopyField } from './copy-field.js'
import { type BoletoSlip, type PixCharge, pixExpiryMs, walletName } from './order-payment.js'
import type { Order } from './order.js'

interface PaymentInstructionsProps {
  readonly order: Order
  readonly nowMs: number
  readonly panelUrl: string | undefined
  readonly language: Language
  readonly messages: Messages
}

/** What there is to do to pay an order that waits for it; nothing for any other. */
export function PaymentInstructions(props: PaymentInstructionsProps) {
  const { order, panelUrl, messages } = props
  if (order.state !== 'pending' && order.state !== 'review') return null
  return (
    <>
      {order.state === 'pending' && <Instructions {...props} />}
      <PanelHint panelUrl={panelUrl} code={order.code} messages={messages} />
    </>
  )
}

function Instructions(props: PaymentInstructionsProps) {
  const { payment } = props.order
  switch (payment.kind) {
    case 'card':
      return null
    case 'boleto':
      return payment.slip === undefined ? null : <Boleto {...props} slip={payment.slip} />
    case 'pix':
      return payment.charge === undefined ? null : <Pix {...props} charge={payment.charge} />
    case 'wallet':
      return payment.pageUrl === undefined ? null : (
        <Wallet order={props.order} name={walletName(payment.wallet)} messages={props.messages} />
      )
  }
}

function Pix(props: PaymentInstructionsProps & { readonly charge: PixCharge }) {
  const { order, charge, nowMs, language, messages } = props
  const { pix } = messages.order
  const expiresAtMs = pixExpiryMs(order.placedAtMs)
  return (
    <section class="card pay-now" aria-labelledby="pay-now" data-testid="pix">
      <figure class="qr">
        <img src={charge.imageUrl} alt={pix.imageText} width="232" height="232" />
        <figcaption>{pix.scan}</figcaption>
      </figure>
      <div class="pay-now-text">
        <h2 id="pay-now">{pix.title}</h2>
        <p class="amount">{formatCentavos(order.totalCentavos, language)}</p>
        <ol class="steps">
          {pix.steps.map((step) => (
            <li>{step}</li>
          ))}
        </ol>
        <CopyField id="pix-code" label={pix.code} text={charge.code} messages={messages} />
        <p class="deadline">
          {pix.validUntil(formatTime(expiresAtMs, language))}
          <span
            class="countdown"
            role="timer"
            data-remaining-ms={Math.max(expiresAtMs - nowMs, 0)}
            data-ended={pix.ended}
            aria-label={pix.remaining}
            hidden
          ></span>
        </p>
      </div>
    </section>
  )
}

function Boleto(props: PaymentInstructionsProps & { readonly slip: BoletoSlip }) {
  const { order, slip, language, messages } = props
  const { boleto } = messages.order
  const dueDate = boletoDueDate(slip.digitableLine, order.placedAtMs)
  return (
    <section class="card pay-now" aria-labelledby="pay-now" data-testid="boleto">
      <div class="pay-now-text">
        <h2 id="pay-now">{boleto.title}</h2>
        <p class="amount">{formatCentavos(order.totalCentavos, language)}</p>
        {dueDate !== undefined && (
          <p class="deadline">
            {boleto.dueDate} <strong data-testid="due-date">{formatDay(dueDate, language)}</strong>
          </p>
        )}
        <CopyField
          id="digitable-line"
          label={boleto.line}
          text={printedLine(slip.digitableLine)}
          copied={slip.digitableLine}
          messages={messages}
        />
        <p class="actions">
          <a class="button" href={slip.pageUrl} target="_blank" rel="noopener">
            {boleto.open}
            <span class="visually-hidden"> {boleto.newTab}</span>
          </a>
        </p>
        <p class="hint">{boleto.hint}</p>
      </div>
    </section>
  )
}

interface WalletProps {
  readonly order: Order
  readonly name: string
  readonly messages: Messages
}

function Wallet({ order, name, messages }: WalletProps) {
  const { wallet } = messages.order
  return (
    <section class="card pay-now" aria-labelledby="pay-now" data-testid="wallet">
      <div class="pay-now-text">
        <h2 id="pay-now">{wallet.title(name)}</h2>
        <p>{wallet.text(name)}</p>
        <p class="actions">
          <a class="button" href={walletPath(order)}>
            {wallet.goOn(name)}
          </a>
        </p>
      </div>
    </section>
  )
}
