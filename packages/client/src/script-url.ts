/**
 * Where the vault is: the directory that the running script was loaded from, without the
 * `/v/<version>` of a release. Empty when it has no address, as an inline script or one of a page
 * that names an element `currentScript`.
 */
export function vaultOfScript(): string {
  const script = document.currentScript
  return script instanceof HTMLScriptElement
    ? script.src.replace(/(\/v\/\d[^/]*)?\/[^/]*([?#].*)?$/, '')
    : ''
}
