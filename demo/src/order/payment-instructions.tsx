import { CopyField, fill } from '@cofre/pages'
import {
  type Order,
  type PaymentDetails,
  detailsOf,
  elsewhereOf,
  isBeingIssued,
} from '../model/order.js'
import { useView } from '../page/view.js'
import { elsewhereName } from '../texts/order-words.js'

export interface OrderProps {
  readonly order: Order
}

/** The service keeps a PIX charge open for a day. */
const PIX_LIFETIME_MS = 24 * 60 * 60 * 1000

/** How to pay an open order; nothing for any other. */
export function PaymentInstructions({ order }: OrderProps) {
  const { state } = order
  if (state !== 'pending' && state !== 'review') return null
  const elsewhere = elsewhereOf(order)
  if (elsewhere !== undefined) return <Elsewhere order={order} url={elsewhere} />
  return (
    <>
      {state === 'pending' && !isBeingIssued(order) && <PayNow order={order} />}
      <SimulationHint order={order} />
    </>
  )
}

/** PIX by its code; a boleto by its line, by PIX, or by both. */
function PayNow({ order }: OrderProps) {
  const { order: texts } = useView().texts
  const details = detailsOf(order)
  if (details === undefined) return null
  const { code, pix, url } = details
  switch (order.payment.kind) {
    case 'pix':
      return <Pix order={order} title={texts.pix.title} pix={{ code, imageUrl: url }} />
    case 'boleto': {
      const title = code === '' ? texts.pix.title : texts.boleto.orPix
      return (
        <>
          {code !== '' && <BoletoLine order={order} details={details} />}
          {pix !== undefined && <Pix order={order} title={title} pix={pix} />}
        </>
      )
    }
    case 'card':
    case 'wallet':
      return null
  }
}

interface PixProps extends OrderProps {
  readonly title: string
  readonly pix: NonNullable<PaymentDetails['pix']>
}

function Pix({ order, title, pix }: PixProps) {
  const { texts, money } = useView()
  const { copy, pix: instructions } = texts.order
  return (
    <section class="card pay-now stack" aria-labelledby="pay-by-pix" data-testid="pix">
      <figure class="qr">
        <img src={pix.imageUrl} alt={instructions.imageText} width="232" height="232" />
        <figcaption class="hint">{instructions.scan}</figcaption>
      </figure>
      <div class="stack">
        <h2 id="pay-by-pix">{title}</h2>
        <p class="amount number">{money(order.totalCentavos)}</p>
        <ol class="bullets">
          {instructions.steps.map((step) => (
            <li>{step}</li>
          ))}
        </ol>
        <CopyField id="pix-code" label={instructions.code} copy={copy}>
          {pix.code}
        </CopyField>
        {order.payment.kind === 'pix' && <Deadline order={order} />}
      </div>
    </section>
  )
}

function Deadline({ order }: OrderProps) {
  const { shop, texts, time } = useView()
  const { pix } = texts.order
  const expiresAtMs = order.placedAtMs + PIX_LIFETIME_MS
  return (
    <p>
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
  )
}

function BoletoLine({ order, details }: OrderProps & { readonly details: PaymentDetails }) {
  const { texts, money } = useView()
  const { boleto, copy } = texts.order
  return (
    <section class="card pay-now stack" aria-labelledby="pay-now" data-testid="boleto">
      <h2 id="pay-now">{boleto.title}</h2>
      <p class="amount number">{money(order.totalCentavos)}</p>
      <CopyField id="digitable-line" label={boleto.line} copy={copy} copied={details.code}>
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

/**
 * The line, grouped as banks print it:
 * `03399.00009 00000.190108 10000.001015 4 12340000010000`.
 */
function printedLine(digitableLine: string): string {
  return digitableLine.replace(
    /^(\d{5})(\d{5})(\d{5})(\d{6})(\d{5})(\d{6})(\d)(\d{14})$/,
    '$1.$2 $3.$4 $5.$6 $7 $8',
  )
}

/** A link to the wallet or the card's issuer. */
function Elsewhere({ order, url }: OrderProps & { readonly url: string }) {
  const { texts } = useView()
  const { wallet } = texts.order
  const name = elsewhereName(order, texts)
  return (
    <section class="card pay-now stack" aria-labelledby="pay-now" data-testid="elsewhere">
      <h2 id="pay-now">{fill(wallet.title, { name })}</h2>
      <p>{fill(wallet.text, { name })}</p>
      <p>
        <a class="button" href={url}>
          {fill(wallet.goOn, { name })}
        </a>
      </p>
    </section>
  )
}

interface Place {
  readonly name: string
  readonly url: string
}

/** Links for developers: pay as the payer, act as the bank or acquirer, or change the status. */
export function SimulationHint({ order }: OrderProps) {
  const { shop, texts } = useView()
  const { acquirers = [], banks, panelUrl } = shop
  const { kind } = order.payment
  const { backOffice, order: instructions } = texts
  if (order.state === 'reserved') {
    const places = [{ name: backOffice.title, url: '/back-office' }]
    return <Hint text={backOffice.hint} places={places} testId="back-office-link" />
  }
  if (acquirers.length > 0 && kind === 'card')
    return <Hint text={instructions.acquirers} places={acquirers} testId="acquirer-link" />
  if (banks !== undefined && (kind === 'pix' || kind === 'boleto') && order.state !== 'paid') {
    const { link: name, text } = instructions.banks[kind]
    const url = pageOf(order, banks[kind])
    return <Hint text={text} places={[{ name, url }]} testId="bank-link" />
  }
  if (panelUrl === undefined) return null
  const url = order.code === undefined ? panelUrl : `${panelUrl}/transactions/${order.code}`
  const text = order.state === 'paid' ? instructions.panel.refund : instructions.panel.text
  return <Hint text={text} places={[{ name: instructions.panel.link, url }]} testId="panel-link" />
}

/** The simulated bank's page of a payment; without a code, its start page. */
function pageOf(order: Order, url: string): string {
  const code = detailsOf(order)?.code ?? ''
  return code === '' ? new URL(url).origin : `${url}?code=${encodeURIComponent(code)}`
}

interface HintProps {
  readonly text: string
  readonly places: readonly Place[]
  readonly testId: string
}

/** A note that a real shop does not have. */
function Hint({ text, places, testId }: HintProps) {
  return (
    <p class="demo-hint">
      <strong>{useView().texts.checkout.test.title}</strong> {text}
      {places.map(({ name, url }) => (
        <>
          {' '}
          <a href={url} target="_blank" rel="noopener" data-testid={testId}>
            {name}
          </a>
        </>
      ))}
    </p>
  )
}
