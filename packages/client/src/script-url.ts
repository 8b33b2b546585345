/** The directory that the running script was loaded from; empty when it has no address, as an inline script. */
export function scriptDirectory(): string {
  const script = document.currentScript
  return script && 'src' in script ? script.src.replace(/[^/]*([?#].*)?$/, '') : ''
}
