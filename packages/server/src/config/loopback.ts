const LOOPBACK = /^(?:localhost|127\.[\d.]+|\[?::1\]?)$/

/** Whether a host, as an address or as a URL has it, is this machine alone. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host)
}
