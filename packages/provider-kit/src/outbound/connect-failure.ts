import type { NotSentReason } from './call-answer.js'
import { redacted } from './redaction.js'

/** TLS alerts of a server that rejects or misses our certificate. */
const CERTIFICATE_ALERTS = ['CERTIFICATE', 'UNKNOWN_CA', 'ACCESS_DENIED', 'HANDSHAKE_FAILURE']

/** Why there is no connection. */
export function connectFailure(error: Error): NotSentReason {
  const code = codeOf(error)
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return 'connect_timeout'
  if (isCertificateRefusal(error)) return 'certificate_refused'
  const isUntrusted = /^(?:CERT_|UNABLE_TO_|ERR_TLS_CERT_|INVALID_|PATH_LENGTH_)|SELF_SIGNED/.test(
    code,
  )
  return isUntrusted ? 'server_not_trusted' : 'no_connection'
}

/** The server's TLS refused our certificate: it read no request. */
export function isCertificateRefusal(error: Error): boolean {
  const code = codeOf(error)
  return code.includes('ALERT_') && CERTIFICATE_ALERTS.some((alert) => code.includes(alert))
}

/** One line with the error's code. Such errors contain host names, never the request. */
export function detailOf(error: Error): string {
  const code = codeOf(error)
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : []
  const message = error.message === '' && first instanceof Error ? first.message : error.message
  return redacted(message.includes(code) ? message : `${message} (${code})`)
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
