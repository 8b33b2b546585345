export type CertificateProblem =
  | 'too_large'
  | 'unreadable'
  | 'password_wrong'
  | 'certificate_missing'
  | 'key_missing'
  | 'key_mismatch'
  | 'not_yet_valid'
  | 'expired'
  | 'chain_broken'
  | 'chain_incomplete'
  | 'foreign'
  | 'refused_by_tls'

/** An unusable client certificate, and what to do about it. */
export class CertificateError extends Error {
  readonly problem: CertificateProblem

  constructor(problem: CertificateProblem, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'CertificateError'
    this.problem = problem
  }
}
