import { formatAmount } from '@cofre/contracts'
import { html, raw } from 'hono/html'
import { printedLine } from '@cofre/provider-kit/bank'
import { interleaved2of5 } from '../../model/boleto/interleaved-2-of-5.js'
import type { BoletoSlip } from '../../payment/boleto-slip-service.js'
import { qrSvg } from './qr-picture.js'

/** 44 digits give FEBRABAN's 103 mm by 13 mm, with a quiet zone of 5 mm at each side. */
const MODULE_MM = 0.254
const HEIGHT_MM = 13
const QUIET_MODULES = 20

/** The printable boleto, in Portuguese and English, without script. */
export function boletoPage(slip: BoletoSlip) {
  const { beneficiary } = slip
  return html`<!doctype html>
    <html lang="pt-BR">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>Boleto · ${beneficiary}</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        <main>
          ${titleOf(slip)} ${stateOf(slip)}
          <dl>
            ${termsOf(slip).map(
              ([label, english, value]) =>
                html`<div>
                  <dt>${label} <span lang="en">${english}</span></dt>
                  <dd>${value}</dd>
                </div>`,
            )}
          </dl>
          ${slip.state === 'payable' ? waysToPay(slip) : ''}
        </main>
      </body>
    </html>`
}

function titleOf({ details, state }: BoletoSlip) {
  const isPixAlone = details.digitableLine === undefined && details.pixCode !== undefined
  return isPixAlone && state === 'payable'
    ? html`<h1>PIX com vencimento <small lang="en">PIX with a due date</small></h1>`
    : html`<h1>Boleto <small lang="en">bank slip</small></h1>`
}

function termsOf({ details, amountMinor, beneficiary, reference }: BoletoSlip) {
  const [year, month, day] = details.dueDate.split('-')
  return [
    ['Beneficiário', 'payee', beneficiary],
    ['Pagador', 'payer', details.payerName],
    ['Pedido', 'order', reference],
    ['Vencimento', 'due date', `${day}/${month}/${year}`],
    ['Valor', 'amount', `R$ ${formatAmount(amountMinor).replace('.', ',')}`],
  ] as const
}

/** The reason why a boleto cannot be paid; empty if it can. */
function stateOf({ state }: BoletoSlip) {
  switch (state) {
    case 'payable':
      return ''
    case 'issuing':
      return html`<p role="status" class="state">
          O banco está emitindo este boleto. O código para pagar aparece aqui assim que ele
          responder: esta página se atualiza sozinha.
          <span lang="en"
            >The bank is issuing this slip. What you pay with appears here once it has answered:
            this page updates by itself.</span
          >
        </p>
        <p class="screen">
          <a href="">Atualizar agora <span lang="en">Update now</span></a>
        </p>`
    case 'paid':
      return html`<p role="status" class="state">
        Este boleto já foi pago. <span lang="en">This slip has been paid.</span>
      </p>`
    case 'ended':
      return html`<p role="status" class="state">
        Este boleto não vale mais. Não o pague.
        <span lang="en">This slip is not valid any more. Do not pay it.</span>
      </p>`
  }
}

function waysToPay({ details, bankSlipPath }: BoletoSlip) {
  const { barcode, digitableLine, pixCode } = details
  return html`
    ${digitableLine === undefined ? '' : lineOf(digitableLine)}
    ${barcode === undefined ? '' : barsOf(barcode)} ${pixCode === undefined ? '' : pixOf(pixCode)}
    ${bankSlipPath === undefined ? '' : linkTo(bankSlipPath)}
    <p class="hint">
      Pague no aplicativo do seu banco até o vencimento;
      ${
        pixCode === undefined
          ? html`a confirmação leva até um dia útil.
              <span lang="en"
                >Pay in your bank's app by the due date; confirmation takes up to one business
                day.</span
              >`
          : html`pelo PIX, a confirmação é na
              hora${digitableLine === undefined ? '.' : ', pela linha digitável leva até um dia útil.'}
              <span lang="en"
                >Pay in your bank's app by the due date; PIX is confirmed at
                once${digitableLine === undefined ? '.' : ', the digitable line within one business day.'}</span
              >`
      }
    </p>
  `
}

function lineOf(digitableLine: string) {
  return html`<h2>Linha digitável <small lang="en">digitable line</small></h2>
    <p class="line">${printedLine(digitableLine)}</p>`
}

function barsOf(barcode: string) {
  return html`<h2>Código de barras <small lang="en">barcode</small></h2>
    <p class="bars" tabindex="0">${raw(barcodeSvg(barcode))}</p>`
}

function pixOf(code: string) {
  return html`<h2>PIX <small lang="en">scan or copy</small></h2>
    <p class="qr">${raw(qrSvg(code, 'QR Code do PIX'))}</p>
    <h2>PIX copia e cola <small lang="en">PIX code to copy</small></h2>
    <p class="line">${code}</p>`
}

function linkTo(path: string) {
  return html`<p class="screen">
    <a href="${path}">Boleto do banco em PDF <span lang="en">The bank's slip as PDF</span></a>
  </p>`
}

/** The barcode at its printed size. */
export function barcodeSvg(barcode: string): string {
  const { bars, modules } = interleaved2of5(barcode)
  const width = modules + 2 * QUIET_MODULES
  const height = Math.round(HEIGHT_MM / MODULE_MM)
  const path = bars
    .map(({ start, width: bar }) => `M${start + QUIET_MODULES} 0h${bar}v${height}h-${bar}z`)
    .join('')
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width * MODULE_MM}mm"` +
    ` height="${HEIGHT_MM}mm" shape-rendering="crispEdges" role="img" aria-label="${barcode}">` +
    `<rect width="${width}" height="${height}" fill="#fff"/><path d="${path}" fill="#000"/></svg>`
  )
}

export const STYLE = `
:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{margin:0;padding:1rem}
main{max-width:42rem;margin:auto}
h1{font-size:1.5rem}h2{font-size:1rem;margin:1.5rem 0 .25rem}
small,dt span{opacity:.75;font-weight:normal;font-size:.85em}
dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(12rem,1fr));gap:.75rem;margin:0}
dt{font-size:.85rem}dd{margin:0;font-weight:600;overflow-wrap:anywhere}
.line{font:600 1.05rem/1.4 ui-monospace,monospace;overflow-wrap:anywhere;user-select:all}
a{color:inherit;font-weight:600}
.bars{background:#fff;padding:.5rem 0;overflow-x:auto;margin:0}
.qr{margin:0}.qr svg{width:12rem;height:12rem;display:block}
.state{padding:.75rem;border:2px solid;border-radius:.5rem}
.hint span,.state span,a span{display:block;opacity:.75}
@media print{:root{color-scheme:light}.bars,.qr{break-inside:avoid}body{padding:0}.screen{display:none}}
`

// Outside the template, because its indentation would change the hash in the page's policy.
const STYLE_ELEMENT = raw(`<style>${STYLE}</style>`)
