// Renders the API's reference, and signs its requests like the SDKs. The store's secret stays in
// its field: it is neither sent nor stored.
import {
  SIGNATURE_LABEL,
  contentDigestOf,
  signatureBase,
  signatureParameters,
  signedComponents,
} from '@cofre/contracts/shop'

const NONCE_BYTES = 16
const HMAC = { name: 'HMAC', hash: 'SHA-256' }

const storeField = document.getElementById('store')
const secretField = document.getElementById('secret')
const utf8 = new TextEncoder()

function base64(bytes) {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)))
}

function newNonce() {
  const bytes = crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
  return base64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

async function hmacOf(secret, text) {
  const key = await crypto.subtle.importKey('raw', utf8.encode(secret), HMAC, false, ['sign'])
  return base64(await crypto.subtle.sign(HMAC.name, key, utf8.encode(text)))
}

function headerOf(headers, name) {
  return Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
}

/** The headers of a signature by HTTP Message Signatures (RFC 9421). */
async function signatureOf({ method, url, headers, body }, storeId, secret) {
  const contentDigest =
    body === undefined
      ? undefined
      : contentDigestOf(base64(await crypto.subtle.digest('SHA-256', utf8.encode(body))))
  const components = signedComponents({
    method,
    targetUri: new URL(url, location.href).href,
    contentDigest,
    idempotencyKey: headerOf(headers, 'idempotency-key'),
  })
  const parameters = signatureParameters(components, {
    createdSeconds: Math.floor(Date.now() / 1000),
    keyid: storeId,
    nonce: method === 'POST' ? newNonce() : undefined,
  })
  const hmac = await hmacOf(secret, signatureBase(components, parameters))
  return {
    ...(contentDigest !== undefined && { 'Content-Digest': contentDigest }),
    'Signature-Input': `${SIGNATURE_LABEL}=${parameters}`,
    Signature: `${SIGNATURE_LABEL}=:${hmac}:`,
  }
}

/** Without store or secret the request is not signed, and the API reports what is missing. */
async function prepared(request) {
  // The API requires it for searches, too.
  request.headers = { ...request.headers, 'Content-Type': 'application/json' }
  const storeId = storeField.value.trim()
  const secret = secretField.value
  if (storeId !== '' && secret !== '')
    Object.assign(request.headers, await signatureOf(request, storeId, secret))
  return request
}

const { matches: isDark } = matchMedia('(prefers-color-scheme: dark)')
document.documentElement.classList.toggle('dark-mode', isDark)

/** Adds labels and keyboard access that the reference lacks. */
function describeParts() {
  for (const field of reference.querySelectorAll(':is(select, textarea):not([aria-label])'))
    field.ariaLabel = field.localName === 'select' ? 'Choose an example or a type' : 'Body'
  for (const code of reference.querySelectorAll('pre:not([tabindex])')) code.tabIndex = 0
}

const reference = document.getElementById('reference')
new window.MutationObserver(describeParts).observe(reference, { childList: true, subtree: true })

const response = await fetch('/openapi.json')
const description = await response.json()

/**
 * False for notifications to shops, and for streams: answers are shown at their end, and a stream
 * has none.
 */
function isTryable(path, method) {
  const operation = description.paths[path]?.[method]
  if (operation === undefined) return false
  const responses = Object.values(operation.responses)
  return !responses.some(({ content = {} }) => 'text/event-stream' in content)
}

const hidden = () => () => null
const allowTryItOutFor = () => (_state, path, method) => isTryable(path, method)

window.SwaggerUIBundle({
  // The origin of this page, by whatever name the browser came: a page may call only its own
  // origin.
  spec: { ...description, servers: [{ url: location.origin }] },
  dom_id: '#reference',
  // Its links would be inside buttons, which no screen reader can follow.
  deepLinking: false,
  // Each operation shows its own models.
  defaultModelsExpandDepth: -1,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  validatorUrl: null,
  requestInterceptor: prepared,
  plugins: [
    // The page already has title, store and secret above, and there is one server.
    {
      wrapComponents: {
        authorizeBtn: hidden,
        authorizeOperationBtn: hidden,
        InfoContainer: hidden,
        ServersContainer: hidden,
      },
    },
    { statePlugins: { spec: { wrapSelectors: { allowTryItOutFor } } } },
  ],
})
document.getElementById('insecure').hidden = window.isSecureContext
