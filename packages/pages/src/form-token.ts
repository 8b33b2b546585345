import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Site } from './site.js'

const ID_BYTES = 32

/** An unguessable value for a cookie that identifies one browser. */
export function newCookieId(): string {
  return randomBytes(ID_BYTES).toString('base64url')
}

export function isCookieId(text: string): boolean {
  return /^[\w-]{43}$/.test(text)
}

/** The token that a form must send. It can't be computed without the browser's cookie. */
export function formTokenOf(cookieId: string): string {
  return createHmac('sha256', cookieId).update('cofre panel form').digest('base64url')
}

export function isFormToken(token: string, cookieId: string): boolean {
  const expected = Buffer.from(formTokenOf(cookieId))
  const sent = Buffer.from(token)
  return sent.length === expected.length && timingSafeEqual(sent, expected)
}

/**
 * True if a request comes from the site's own pages, as far as the browser reports it. Browsers
 * send `Origin: null` under `no-referrer`, so `Sec-Fetch-Site` counts first. Older browsers send
 * neither: check the form's token, too.
 */
export function isFromOwnPage(request: Request, { url }: Pick<Site, 'url'>): boolean {
  const site = request.headers.get('Sec-Fetch-Site')
  if (site !== null) return site === 'same-origin' || site === 'none'
  const origin = request.headers.get('Origin')
  if (origin === null || origin === 'null') return true
  return origin === new URL(url).origin || origin === new URL(request.url).origin
}
