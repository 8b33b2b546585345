import { X509Certificate, createHash } from 'node:crypto'

/** RFC 8705's `x5t#S256` of a certificate: PEM or DER. */
export function thumbprintOf(certificate: string | Buffer): string {
  const { raw } = new X509Certificate(certificate)
  return createHash('sha256').update(raw).digest('base64url')
}
