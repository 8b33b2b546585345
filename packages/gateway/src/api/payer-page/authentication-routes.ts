import { createHash } from 'node:crypto'
import type { Context, Hono } from 'hono'
import { authenticationPath } from '../../model/payer-page/payer-paths.js'
import type { WaitingCard } from '../../payment/card-authentication-service.js'
import type { RouteDeps } from '../gateway-api.js'
import type { GatewayEnv } from '../request/signed-request.js'
import { STYLE, authenticationPage } from './authentication-page.js'

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')
const CHECK_AGAIN_SECONDS = 5

/**
 * Sends a cardholder to the bank and receives them afterwards. Opening a page changes nothing: only
 * the acquirer's own report does.
 */
export function addAuthenticationRoutes(app: Hono<GatewayEnv>, { api }: RouteDeps): void {
  app.get('/a/:publicId', async (context) => {
    const card = await api.followAuthentication(context.req.param('publicId'))
    return context.html(authenticationPage(card), 200, headersOf(card))
  })

  const comeBack = async (context: Context<GatewayEnv>, publicId: string, result = '') => {
    const { state, wayOn } = await api.followAuthentication(publicId, result)
    const isAnswered = state !== 'waiting' && state !== 'checking'
    const address = isAnswered && wayOn !== undefined ? wayOn : authenticationPath(publicId)
    // The redirect removes the result from the browser's address.
    return context.redirect(address, 303)
  }
  app.get('/a/:publicId/return', (context) =>
    comeBack(context, context.req.param('publicId'), context.req.query('redirectResult')),
  )
  app.post('/a/:publicId/return', async (context) => {
    const form = new URLSearchParams(await context.req.text())
    return await comeBack(
      context,
      context.req.param('publicId'),
      form.get('redirectResult') ?? undefined,
    )
  })
}

function headersOf({ state, action }: WaitingCard): Record<string, string> {
  return {
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Content-Security-Policy':
      `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; ` +
      `frame-ancestors 'none'; form-action ${formTargets(action)}`,
    ...(state === 'checking' && { Refresh: String(CHECK_AGAIN_SECONDS) }),
  }
}

/** A bank redirects a form to origins that are unknown in advance. */
function formTargets(action: WaitingCard['action']): string {
  return action?.method === 'POST' ? `https: ${new URL(action.url).origin}` : "'none'"
}
