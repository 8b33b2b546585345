import { createHash } from 'node:crypto'
import { ApiError } from '@cofre/contracts'
import type { Context, Hono } from 'hono'
import type { GatewayEnv } from '../request/signed-request.js'
import { STYLE, boletoPage } from './boleto-page.js'
import type { RouteDeps } from '../gateway-api.js'
import type { BoletoSlip } from '../../payment/boleto-slip-service.js'
import { qrPng, qrSvg } from './qr-picture.js'

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')
const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; frame-ancestors 'none'`
const REFRESH_SECONDS = 10
const PDF = '.pdf'

const HEADERS = {
  'Cache-Control': 'private, no-cache',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
}

/** Pages that a payer opens without signing: a boleto, its bank’s slip, the image of a PIX code. */
export function addPayerPageRoutes(app: Hono<GatewayEnv>, { api }: RouteDeps): void {
  app.get('/b/:boleto', async (context) => {
    const name = context.req.param('boleto')
    // No pattern in the path: Hono would choose another router, which fails at `/constructor`.
    return name.endsWith(PDF)
      ? sendBankSlip(context, await api.readSlip(name.slice(0, -PDF.length)))
      : sendPage(context, await api.findBoleto(name))
  })

  app.get('/q/:image', async (context) => {
    const { publicId, format } =
      /^(?<publicId>\w+)\.(?<format>png|svg)$/.exec(context.req.param('image'))?.groups ?? {}
    if (publicId === undefined) throw new ApiError('route_not_found')
    const code = await api.findPixCode(publicId)
    const body = format === 'svg' ? qrSvg(code) : qrPng(code)
    const type = format === 'svg' ? 'image/svg+xml' : 'image/png'
    return context.body(body, 200, { ...HEADERS, 'Content-Type': type })
  })
}

function sendPage(context: Context<GatewayEnv>, slip: BoletoSlip) {
  return context.html(boletoPage(slip), 200, {
    ...HEADERS,
    'Content-Security-Policy': PAGE_POLICY,
    ...(slip.state === 'issuing' && { Refresh: String(REFRESH_SECONDS) }),
  })
}

function sendBankSlip(context: Context<GatewayEnv>, slip: Uint8Array) {
  return context.body(Uint8Array.from(slip), 200, {
    ...HEADERS,
    'Cache-Control': 'no-store',
    'Content-Type': 'application/pdf',
    'Content-Disposition': 'inline; filename="boleto.pdf"',
  })
}
