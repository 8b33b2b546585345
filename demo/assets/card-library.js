// The payment service's script on this page, loaded from the vault: its library, or its card
// fields.

const LOAD_MS_MAX = 10_000
const TOKEN_MS_MAX = 30_000

export const { dataset } = document.getElementById('checkout')

/** A class of the script; undefined while the script is not there. */
export function classOf(name) {
  const found = window[dataset.libraryGlobal]?.[name]
  return typeof found === 'function' ? found : undefined
}

/**
 * Loads the script again when it did not come with the page.
 * @throws Error with the code of the library's error for a vault that is out of reach
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

/** The token, or an error of a vault that is out of reach when it takes too long. */
export async function tokenInTime(token) {
  return Promise.race([
    token,
    new Promise((_, reject) => window.setTimeout(() => reject(offlineError()), TOKEN_MS_MAX)),
  ])
}
