// The payment service's script on this page, loaded from the vault: its library, or its card
// fields.

const LOAD_MS_MAX = 10_000
const TOKEN_MS_MAX = 30_000

export const { dataset } = document.getElementById('checkout')

/** A class of the script; undefined until the script has loaded. */
export function classOf(name) {
  const found = window[dataset.libraryGlobal]?.[name]
  return typeof found === 'function' ? found : undefined
}

/**
 * Loads the script again if it did not load with the page.
 * @throws Error with the library's code for an unreachable vault
 */
export async function ensureClass(name) {
  if (classOf(name) !== undefined) return
  const script = document.createElement('script')
  script.integrity = dataset.libraryIntegrity
  script.crossOrigin = 'anonymous'
  script.src = dataset.libraryUrl
  await new Promise((resolve) => {
    script.onload = script.onerror = resolve
    window.setTimeout(resolve, LOAD_MS_MAX)
    document.head.append(script)
  })
  if (classOf(name) === undefined) throw offlineError()
}

const offlineError = () => Object.assign(new Error('no vault'), { code: 'session_network_error' })

/** The token. Rejects after `TOKEN_MS_MAX` with the error of an unreachable vault. */
export async function tokenInTime(token) {
  return Promise.race([
    token,
    new Promise((_, reject) => window.setTimeout(() => reject(offlineError()), TOKEN_MS_MAX)),
  ])
}
