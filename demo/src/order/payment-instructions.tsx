import { CopyField, fill, formatDay } from '@cofre/pages'
import { boletoDueDate, printedLine } from '../model/boleto-line.js'
import { type OpenPayment, type PaymentDetails, isBeingIssued } from '../model/order.js'
import { useView } from '../page/view.js'
import { elsewhereName } from '../texts/order-words.js'
import { type OrderProps, PlayHint } from './order-parts.js'

/** The service keeps a PIX charge open for a day. */
const PIX_LIFETIME_MS = 24 * 60 * 60 * 1000

/** What there is to do to pay an order that waits for it; nothing for any other. */
export function PaymentInstructions({ order }: OrderProps) {
  const { state, payment } = order
  if (state !== 'pending' && state !== 'review') return null
  if (payment.kind === 'card' && payment.authenticationUrl !== undefined)
    return <Elsewhere order={order} />
  if (state === 'review' || payment.kind === 'card' || payment.details === undefined)
    return <PlayHint order={order} />
  const Instructions = INSTRUCTIONS[payment.kind]
  return (
    <>
      <Instructions order={order} payment={payment} details={payment.details} />
      <PlayHint order={order} />
    </>
  )
}

interface PayNowProps extends OrderProps {
  readonly payment: OpenPayment
  readonly details: PaymentDetails
}

function Pix({ order, details }: PayNowProps) {
  const { shop, texts, money, time } = useView()
  const { pix } = texts.order
  const expiresAtMs = order.placedAtMs + PIX_LIFETIME_MS
  return (
    <section class="card pay-now stack" aria-labelledby="pay-now" data-testid="pix">
      <PixPicture url={details.url} />
      <div class="stack">
        <h2 id="pay-now">{pix.title}</h2>
        <p class="amount number">{money(order.totalCentavos)}</p>
        <PixSteps code={details.code} />
        <p class="deadline">
          {fill(pix.validUntil, { time: time(expiresAtMs) })}{' '}
          <span
            class="badge waiting number"
            role="timer"
            data-remaining-ms={Math.max(expiresAtMs - shop.now(), 0)}
            data-ended={pix.ended}
            aria-label={pix.remaining}
            hidden
          ></span>
        </p>
      </div>
    </section>
  )
}

function PixPicture({ url }: { readonly url: string }) {
  const { pix } = useView().texts.order
  return (
    <figure class="qr">
      <img src={url} alt={pix.imageText} width="232" height="232" />
      <figcaption class="hint">{pix.scan}</figcaption>
    </figure>
  )
}

function PixSteps({ code }: { readonly code: string }) {
  const { order } = useView().texts
  return (
    <>
      <ol class="bullets">
        {order.pix.steps.map((step) => (
          <li>{step}</li>
        ))}
      </ol>
      <CopyField id="pix-code" label={order.pix.code} copy={order.copy}>
        {code}
      </CopyField>
    </>
  )
}

/** By its line, by PIX, or by both. */
function Boleto({ order, details }: PayNowProps) {
  const { texts, money } = useView()
  const { boleto } = texts.order
  const { code, pix } = details
  if (isBeingIssued(order)) return null
  return (
    <>
      {code !== '' && <BoletoLine order={order} details={details} />}
      {pix !== undefined && (
        <section class="card pay-now stack" aria-labelledby="pay-by-pix" data-testid="pix">
          <PixPicture url={pix.imageUrl} />
          <div class="stack">
            <h2 id="pay-by-pix">{code === '' ? texts.order.pix.title : boleto.orPix}</h2>
            {code === '' && <p class="amount number">{money(order.totalCentavos)}</p>}
            <PixSteps code={pix.code} />
          </div>
        </section>
      )}
    </>
  )
}

function BoletoLine({ order, details }: Omit<PayNowProps, 'payment'>) {
  const { texts, language, money } = useView()
  const { boleto } = texts.order
  const dueDate = boletoDueDate(details.code, order.placedAtMs)
  return (
    <section class="card pay-now stack" aria-labelledby="pay-now" data-testid="boleto">
      <h2 id="pay-now">{boleto.title}</h2>
      <p class="amount number">{money(order.totalCentavos)}</p>
      {dueDate !== undefined && (
        <p>
          {boleto.dueDate} <strong data-testid="due-date">{formatDay(dueDate, language)}</strong>
        </p>
      )}
      <CopyField
        id="digitable-line"
        label={boleto.line}
        copy={texts.order.copy}
        copied={details.code}
      >
        {printedLine(details.code)}
      </CopyField>
      <p>
        <a class="button" href={details.url} target="_blank" rel="noopener">
          {boleto.open}
          <span class="visually-hidden"> {boleto.newTab}</span>
        </a>
      </p>
      <p class="hint">{boleto.hint}</p>
    </section>
  )
}

function Elsewhere({ order }: OrderProps) {
  const { texts } = useView()
  const { wallet } = texts.order
  const name = elsewhereName(order, texts)
  const way = order.payment.kind === 'wallet' ? 'wallet' : 'bank'
  return (
    <section class="card pay-now stack" aria-labelledby="pay-now" data-testid={way}>
      <h2 id="pay-now">{fill(wallet.title, { name })}</h2>
      <p>{fill(wallet.text, { name })}</p>
      <p>
        <a class="button" href={`/${way}/${order.reference}`}>
          {fill(wallet.goOn, { name })}
        </a>
      </p>
    </section>
  )
}

const INSTRUCTIONS = { pix: Pix, boleto: Boleto, wallet: Elsewhere } as const
