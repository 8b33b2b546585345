const ABSOLUTE = /^https?:\/\/[^/?#]*/i

/**
 * Path and query of a request line, which some proxies and clients send in absolute form (RFC 9112,
 * 3.2.2). Signatures cover only these; the Host header names the server.
 */
export function originForm(target: string): string {
  const authority = ABSOLUTE.exec(target)?.[0]
  if (authority === undefined) return target
  const rest = target.slice(authority.length)
  return rest.startsWith('/') ? rest : `/${rest}`
}
