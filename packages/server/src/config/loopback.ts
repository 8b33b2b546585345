const LOOPBACK = /^(?:localhost|127\.[\d.]+|\[?::1\]?)$/

/** True if a host, as an address or in a URL, is only this machine. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host)
}
