import { createHash } from 'node:crypto'
import { ApiError } from '@cofre/contracts'
import type { Hono } from 'hono'
import { encodeQR } from 'qr'
import type { GatewayEnv } from '../request/signed-request.js'
import { STYLE, boletoPage } from './boleto-page.js'
import type { RouteDeps } from '../gateway-api.js'
import { pngOf } from '../../model/payer-page/png.js'

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')
const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; frame-ancestors 'none'`
const QR_SCALE = 6
/** Four modules of quiet zone (ISO/IEC 18004). */
const QR_OPTIONS = { ecc: 'medium', border: 4 } as const
/** The library draws no background; a dark page would show through. */
const WHITE_GROUND = '<rect width="100%" height="100%" fill="#fff"/>'

const HEADERS = {
  'Cache-Control': 'private, no-cache',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
}

/** What a payer opens without signing: the boleto, and the picture of a PIX code. */
export function addPayerPageRoutes(app: Hono<GatewayEnv>, { api }: RouteDeps): void {
  app.get('/b/:publicId', async (context) => {
    const page = boletoPage(await api.findBoleto(context.req.param('publicId')))
    return context.html(page, 200, { ...HEADERS, 'Content-Security-Policy': PAGE_POLICY })
  })

  app.get('/q/:image', async (context) => {
    const { publicId, format } =
      /^(?<publicId>\w+)\.(?<format>png|svg)$/.exec(context.req.param('image'))?.groups ?? {}
    if (publicId === undefined) throw new ApiError('route_not_found')
    const { code } = await api.findPix(publicId)
    const body =
      format === 'svg'
        ? encodeQR(code, 'svg', QR_OPTIONS).replace('>', `>${WHITE_GROUND}`)
        : pngOf(encodeQR(code, 'raw', QR_OPTIONS), QR_SCALE)
    const type = format === 'svg' ? 'image/svg+xml' : 'image/png'
    return context.body(body, 200, { ...HEADERS, 'Content-Type': type })
  })
}
