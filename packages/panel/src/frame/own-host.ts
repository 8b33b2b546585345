import { html } from 'hono/html'
import type { MiddlewareHandler } from 'hono'
import type { PanelParts } from '../visit/panel-parts.js'
import type { PanelEnv } from '../visit/visit.js'

/** Notifications arrive at an address of their own. */
const INBOX = '/inbox/'

/**
 * Answers only under the configured name, whatever the port is bound to: a hostile page may resolve
 * its own name to this machine (DNS rebinding). This machine's other names redirect here.
 */
export function requireOwnHost({ environments, site }: PanelParts): MiddlewareHandler<PanelEnv> {
  const { host, hostname, origin, port } = new URL(site.url)
  return async (c, next) => {
    const { pathname, search } = new URL(c.req.url)
    const asked = (c.req.header('Host') ?? '').toLowerCase()
    if (environments.production === undefined || asked === host || pathname.startsWith(INBOX)) {
      await next()
      return undefined
    }
    const isRead = c.req.method === 'GET' || c.req.method === 'HEAD'
    if (hostname === 'localhost' && asked === `127.0.0.1:${port}` && isRead)
      return c.redirect(`${origin}${pathname}${search}`, 308)
    return c.text(`421 Misdirected Request: this is ${origin}\n`, 421)
  }
}

/**
 * A link from another site sends no cookies (`SameSite=Strict`), so the reader would look signed
 * out. The response is a page that reloads itself: that request is our own.
 */
export function reloadWithCookies(): MiddlewareHandler<PanelEnv> {
  return async (c, next) => {
    const { method, header } = {
      method: c.req.method,
      header: (name: string) => c.req.header(name),
    }
    const site = header('Sec-Fetch-Site')
    const isFromElsewhere = site === 'cross-site' || site === 'same-site'
    if (method !== 'GET' || !isFromElsewhere || header('Sec-Fetch-Mode') !== 'navigate') {
      await next()
      return undefined
    }
    c.header('Cache-Control', 'no-store')
    return c.html(
      html`<!doctype html>
        <html lang="pt-BR">
          <head>
            <title>Cofre</title>
            <meta http-equiv="refresh" content="0" />
          </head>
        </html>`,
    )
  }
}
