/**
 * Address of the vault: the directory of the running script, without the `/v/<version>` of a
 * release. Empty if the script has no address: it is inline, or the page has an element named
 * `currentScript`.
 */
export function vaultOfScript(): string {
  const script = document.currentScript
  return script instanceof HTMLScriptElement
    ? script.src.replace(/(\/v\/\d[^/]*)?\/[^/]*([?#].*)?$/, '')
    : ''
}
