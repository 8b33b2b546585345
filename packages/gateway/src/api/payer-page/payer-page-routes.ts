import { createHash } from 'node:crypto'
import { ApiError } from '@cofre/contracts'
import type { Hono } from 'hono'
import type { GatewayEnv } from '../request/signed-request.js'
import { STYLE, boletoPage } from './boleto-page.js'
import type { RouteDeps } from '../gateway-api.js'
import { qrPng, qrSvg } from './qr-picture.js'

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')
const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; frame-ancestors 'none'`
const LOOK_AGAIN_SECONDS = 10

const HEADERS = {
  'Cache-Control': 'private, no-cache',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
}

/** What a payer opens without signing: the boleto, its bank's slip, and the picture of a PIX code. */
export function addPayerPageRoutes(app: Hono<GatewayEnv>, { api }: RouteDeps): void {
  app.get('/b/:slip{.+\\.pdf}', async (context) => {
    const slip = await api.readSlip(context.req.param('slip').replace(/\.pdf$/, ''))
    return context.body(Uint8Array.from(slip), 200, {
      ...HEADERS,
      'Cache-Control': 'no-store',
      'Content-Type': 'application/pdf',
      'Content-Disposition': 'inline; filename="boleto.pdf"',
    })
  })

  app.get('/b/:publicId', async (context) => {
    const slip = await api.findBoleto(context.req.param('publicId'))
    return context.html(boletoPage(slip), 200, {
      ...HEADERS,
      'Content-Security-Policy': PAGE_POLICY,
      ...(slip.state === 'issuing' && { Refresh: String(LOOK_AGAIN_SECONDS) }),
    })
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
