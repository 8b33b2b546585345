import type { BoletoDetails, PixDetails, WalletDetails } from '@cofre/gateway/room'
import { printedLine } from '@cofre/provider-kit/bank'
import { CopyField, fill, formatDay } from '@cofre/pages'
import type { PropsWithChildren } from 'hono/jsx'
import { methodName } from '../frame/method.js'
import { useView } from '../frame/view.js'
import type { TryPageProps } from './try-page-props.js'

/** The payer's instructions for a waiting try. */
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
    <PixCode publicId={shown.publicId} code={details.code}>
      <p class="amount number">{money(shown.chargedMinor)}</p>
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
    </PixCode>
  )
}

type PixCodeProps = PropsWithChildren<{ readonly publicId: string; readonly code: string }>

/** How to pay by PIX. */
function PixCode({ publicId, code, children }: PixCodeProps) {
  const { texts } = useView()
  const { pix } = texts.try
  return (
    <div class="pix" data-testid="pix">
      <img src={`/q/${publicId}.svg`} alt={pix.image} width="232" height="232" class="qr" />
      <div class="stack">
        {children}
        <ol class="bullets">
          {pix.steps.map((step) => (
            <li>{step}</li>
          ))}
        </ol>
        <CopyField id="pix-code" label={pix.code} copy={texts.page.copy}>
          {code}
        </CopyField>
      </div>
    </div>
  )
}

function Boleto({ shown, details }: With<BoletoDetails>) {
  const { texts, language, money } = useView()
  const { boleto } = texts.try
  const { digitableLine, dueDate, pixCode } = details
  const { publicId } = shown
  const isPixAlone = digitableLine === undefined
  return (
    <div class="stack" data-testid="boleto">
      <p class="amount number">{money(shown.chargedMinor)}</p>
      <p>
        {boleto.dueDate}: <strong data-testid="due-date">{formatDay(dueDate, language)}</strong>
      </p>
      {digitableLine !== undefined && <Line digitableLine={digitableLine} />}
      {digitableLine !== undefined && pixCode !== undefined && <h2>{boleto.orPix}</h2>}
      {pixCode !== undefined && <PixCode publicId={publicId} code={pixCode} />}
      {shown.state !== 'issuing' && (
        <p>
          <a class="button" href={`/b/${publicId}`} target="_blank" rel="noopener">
            {isPixAlone ? boleto.openPix : boleto.open}
            <span class="visually-hidden"> {texts.page.newTab}</span>
          </a>
        </p>
      )}
      {!isPixAlone && <p class="hint">{boleto.hint}</p>}
    </div>
  )
}

function Line({ digitableLine }: { readonly digitableLine: string }) {
  const { texts } = useView()
  return (
    <CopyField
      id="digitable-line"
      label={texts.try.boleto.line}
      copy={texts.page.copy}
      copied={digitableLine}
    >
      {printedLine(digitableLine)}
    </CopyField>
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

/**
 * A wallet provides the address of its page, which must be a web address and nothing executable.
 */
function isWebAddress(address: string): boolean {
  return URL.canParse(address) && ['https:', 'http:'].includes(new URL(address).protocol)
}
