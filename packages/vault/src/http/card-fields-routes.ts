import type { Context } from 'hono'
import type { Vault } from '../model/vault.js'
import {
  type CardFieldsPage,
  cardFieldsPage,
  colorSchemeOf,
  languageOf,
} from './card-fields/card-fields-page.js'
import { type Library, type ServeGet, releasePath } from './library-routes.js'

/** The files that the page in the frame loads, among those of the card fields. */
export const FRAME_SCRIPT = 'fields-frame.min.js'
export const FRAME_STYLE = 'fields-frame.css'

export interface CardFieldsOptions {
  /** The script for shops' pages, and the frame's files. */
  readonly files: Library
  /** Origins of Cofre's own payment page, which frames the fields of any store. */
  readonly paymentPageOrigins: readonly string[]
}

interface Framing {
  readonly element: CardFieldsPage['element']
  readonly origins: readonly string[]
  readonly showsBin: boolean
}

const STORE_LENGTH_MAX = 100
/** The features that all browsers know: they warn about others. */
const FEATURES = [
  'accelerometer',
  'autoplay',
  'camera',
  'clipboard-read',
  'clipboard-write',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'geolocation',
  'gyroscope',
  'hid',
  'idle-detection',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'storage-access',
  'usb',
  'xr-spatial-tracking',
]

const HEADERS = {
  // Browsers must not write the page, or anything typed into it, to their disks. Also, a shop's
  // origin counts from the moment of its registration.
  'Cache-Control': 'private, no-store',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Permissions-Policy': FEATURES.map((feature) => `${feature}=()`).join(', '),
  // For shops' pages that are isolated from other origins.
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  // Requests a process of its own, also beside pages of the same site.
  'Origin-Agent-Cluster': '?1',
}

/**
 * Serves the pages with the card fields, for frames: `/fields` and `/fields/security-code` on the
 * origins of their store alone, `/fields/payment-page` on those of Cofre's own payment page. An
 * unknown store gets the same page as one without origins, so that the answer doesn't reveal which
 * stores exist.
 */
export function serveCardFields(
  serve: ServeGet,
  vault: Pick<Vault, 'fieldSettingsOf'>,
  { files, paymentPageOrigins }: CardFieldsOptions,
): void {
  const { current } = files
  const addressOf = (name: string): string => {
    const file = current.files.find((known) => known.name === name)
    if (file === undefined) throw new Error(`no ${name} among the files of the card fields`)
    return releasePath(current, file)
  }
  const [script, style] = [addressOf(FRAME_SCRIPT), addressOf(FRAME_STYLE)]
  const answer = (context: Context, framing: Framing, root: string) => {
    const { element, origins, showsBin } = framing
    const page = cardFieldsPage({
      language: languageOf(context.req.query('language')),
      colorScheme: colorSchemeOf(context.req.query('color-scheme')),
      element,
      origins,
      showsBin,
      script: root + script,
      style: root + style,
    })
    return context.html(page, 200, {
      ...HEADERS,
      'Content-Security-Policy': policyFor(origins),
    })
  }
  const answerStore = async (context: Context, element: Framing['element'], root: string) => {
    const store = context.req.query('store') ?? ''
    const isPossible = store !== '' && store.length <= STORE_LENGTH_MAX
    const none = { origins: [], showsBin: false }
    const settings = isPossible ? await vault.fieldSettingsOf(store) : none
    return answer(context, { ...settings, element }, root)
  }
  serve('GET', '/fields', (context) => answerStore(context, 'card', ''))
  serve('GET', '/fields/security-code', (context) => answerStore(context, 'security-code', '../'))
  serve('GET', '/fields/payment-page', (context) =>
    answer(context, { element: 'card', origins: paymentPageOrigins, showsBin: false }, '../'),
  )
}

function policyFor(origins: readonly string[]): string {
  const ancestors = origins.length === 0 ? "'none'" : origins.join(' ')
  return (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
    `form-action 'none'; base-uri 'none'; frame-ancestors ${ancestors}`
  )
}
