import type { MiddlewareHandler } from 'hono'
import { secureHeaders } from 'hono/secure-headers'
import type { Shop } from '../shop.js'

/** Nothing inline, nothing from elsewhere but the card library, the vault it talks to and the pictures of PIX codes. */
export function securityHeaders({ origin, libraryUrl, payerOrigin }: Shop): MiddlewareHandler {
  const vaultOrigin = new URL(libraryUrl).origin
  return secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'", vaultOrigin],
      connectSrc: ["'self'", vaultOrigin],
      styleSrc: ["'self'"],
      imgSrc: ["'self'", payerOrigin],
      formAction: ["'self'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
    xFrameOptions: 'DENY',
    // Browsers send `Origin: null` with a form under `no-referrer`, and the origin check needs it.
    referrerPolicy: 'same-origin',
    permissionsPolicy: { camera: [], geolocation: [], microphone: [] },
    strictTransportSecurity: origin.startsWith('https:') && 'max-age=15552000',
  })
}
