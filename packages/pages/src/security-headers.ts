import type { MiddlewareHandler } from 'hono'
import { secureHeaders } from 'hono/secure-headers'
import { type Site, isHttps } from './site.js'

interface PageSources {
  /** Origins of scripts that a page loads, besides its own. */
  readonly scripts?: readonly string[]
  /** Origins that its scripts call, besides its own. */
  readonly calls?: readonly string[]
  /** Origins that the page shows in frames. */
  readonly frames?: readonly string[]
  /** Origins of images, besides its own, or `data:`. */
  readonly images?: readonly string[]
  readonly referrerPolicy: 'no-referrer' | 'same-origin'
}

/** The security headers of every page: no inline scripts, only the given sources. */
export function securityHeaders(site: Pick<Site, 'url'>, sources: PageSources): MiddlewareHandler {
  const { scripts = [], calls = [], frames, images = [], referrerPolicy } = sources
  return secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      styleSrc: ["'self'"],
      scriptSrc: ["'self'", ...scripts],
      connectSrc: ["'self'", ...calls],
      imgSrc: ["'self'", ...images],
      ...(frames !== undefined && { frameSrc: [...frames] }),
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
      baseUri: ["'none'"],
    },
    xFrameOptions: 'DENY',
    referrerPolicy,
    permissionsPolicy: { camera: [], geolocation: [], microphone: [] },
    strictTransportSecurity: isHttps(site) && 'max-age=15552000',
  })
}
