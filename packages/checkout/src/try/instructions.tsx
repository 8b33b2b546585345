import {
  type BoletoDetails,
  type PixDetails,
  type WalletDetails,
  printedLine,
} from '@cofre/gateway'
import { CopyField, fill, formatDay } from '@cofre/pages'
import { methodName } from '../page/method.js'
import { useView } from '../page/view.js'
import type { TryPageProps } from './try-page-props.js'

/** What there is to do to pay a try that waits for it. */
export function Instructions(props: TryPageProps) {
  const { details } = props.shown
  switch (details?.kind) {
    case 'pix':
      return <Pix {...props} details={details} />
    case 'boleto':
      return <Boleto {...props} details={details} />
    case 'wallet':
      return <Wallet {...props} details={details} />
    case 'card':
    case undefined:
      return null
  }
}

type With<Details> = TryPageProps & { readonly details: Details }

function Pix({ shown, nowMs, details }: With<PixDetails>) {
  const { texts, money, time } = useView()
  const { pix } = texts.try
  const { expiresAtMs } = shown
  return (
    <div class="pix" data-testid="pix">
      <img src={`/q/${shown.publicId}.svg`} alt={pix.image} width="232" height="232" class="qr" />
      <div class="stack">
        <p class="amount number">{money(shown.chargedMinor)}</p>
        <ol class="bullets">
          {pix.steps.map((step) => (
            <li>{step}</li>
          ))}
        </ol>
        <CopyField id="pix-code" label={pix.code} copy={texts.page.copy}>
          {details.code}
        </CopyField>
        {expiresAtMs !== undefined && (
          <p>
            {fill(pix.validUntil, { time: time(expiresAtMs) })}{' '}
            <span
              class="badge waiting number"
              role="timer"
              data-remaining-ms={Math.max(expiresAtMs - nowMs, 0)}
              data-ended={pix.ended}
              aria-label={pix.remaining}
              hidden
            ></span>
          </p>
        )}
      </div>
    </div>
  )
}

function Boleto({ shown, details }: With<BoletoDetails>) {
  const { texts, language, money } = useView()
  const { boleto } = texts.try
  return (
    <div class="stack" data-testid="boleto">
      <p class="amount number">{money(shown.chargedMinor)}</p>
      <p>
        {boleto.dueDate}:{' '}
        <strong data-testid="due-date">{formatDay(details.dueDate, language)}</strong>
      </p>
      {details.digitableLine !== undefined && (
        <CopyField
          id="digitable-line"
          label={boleto.line}
          copy={texts.page.copy}
          copied={details.digitableLine}
        >
          {printedLine(details.digitableLine)}
        </CopyField>
      )}
      <p>
        <a class="button" href={`/b/${shown.publicId}`} target="_blank" rel="noopener">
          {boleto.open}
          <span class="visually-hidden"> {texts.page.newTab}</span>
        </a>
      </p>
      <p class="hint">{boleto.hint}</p>
    </div>
  )
}

function Wallet({ shown, details }: With<WalletDetails>) {
  const { texts } = useView()
  const { wallet } = texts.try
  const name = methodName(shown.method, texts)
  if (!isWebAddress(details.paymentUrl)) return null
  return (
    <div class="stack" data-testid="wallet">
      <p>{fill(wallet.text, { name })}</p>
      <p>
        <a class="button" href={details.paymentUrl}>
          {fill(wallet.goOn, { name })}
        </a>
      </p>
    </div>
  )
}

/** A wallet says where its page is: an address of the web, and nothing that a link would run. */
function isWebAddress(address: string): boolean {
  return URL.canParse(address) && ['https:', 'http:'].includes(new URL(address).protocol)
}
