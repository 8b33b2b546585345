import { html } from 'hono/html'
import type { MiddlewareHandler } from 'hono'
import type { PanelParts } from './panel-parts.js'
import type { PanelEnv } from './visit.js'

/** Notifications come by an address of their own. */
const INBOX = '/inbox/'

/**
 * Answers under the configured name alone, wherever the port is bound: a stranger's page may have
 * its own name resolve to this machine (DNS rebinding). On this machine its other names lead here.
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
 * A link from elsewhere brings no cookies (`SameSite=Strict`), and would look signed out. It is
 * answered by a page that loads itself once more: that is a request of our own.
 */
export function bringCookies(): MiddlewareHandler<PanelEnv> {
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
