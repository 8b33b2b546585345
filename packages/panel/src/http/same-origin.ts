/**
 * Whether a request comes from the panel's own pages, as far as the browser tells. Under `no-referrer` browsers send
 * `Origin: null` with a form, so `Sec-Fetch-Site` counts first; the form's token is wanted besides.
 */
export function isFromOwnPage(request: Request, publicUrl: string): boolean {
  const site = request.headers.get('Sec-Fetch-Site')
  if (site !== null) return site === 'same-origin' || site === 'none'
  const origin = request.headers.get('Origin')
  if (origin === null || origin === 'null') return true
  return origin === new URL(publicUrl).origin || origin === new URL(request.url).origin
}
