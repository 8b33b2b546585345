// How a request to the vault's service port and its answer are signed: the texts that HMAC-SHA256
// is taken over. Each part is free of line breaks, so no two messages have one text, and the first
// line keeps a request from passing as an answer.

/** A request, as it is signed. */
export interface SignedServiceRequest {
  readonly keyId: string
  /** Whole seconds since 1970, by the sender's clock. */
  readonly timeSeconds: number
  /** 128 random bits in base64url: a request is accepted once. */
  readonly nonce: string
  readonly method: string
  /** Path and query. */
  readonly target: string
  /** SHA-256 of the body, base64url. */
  readonly bodyDigest: string
}

export function serviceRequestText(request: SignedServiceRequest): string {
  const { keyId, timeSeconds, nonce, method, target, bodyDigest } = request
  return ['cofre-vault-request-1', keyId, timeSeconds, nonce, method, target, bodyDigest].join('\n')
}

/** An answer, as it is signed. */
export interface SignedServiceAnswer {
  /** The request's signature: the answer is to that request and no other. */
  readonly requestSignature: string
  readonly status: number
  /** SHA-256 of the body, base64url. */
  readonly bodyDigest: string
}

export function serviceAnswerText(answer: SignedServiceAnswer): string {
  const { requestSignature, status, bodyDigest } = answer
  return ['cofre-vault-answer-1', requestSignature, status, bodyDigest].join('\n')
}

/** Header that carries an answer's signature. */
export const ANSWER_SIGNATURE_HEADER = 'Cofre-Signature'

/** How far a gateway's clock may be from its vault's; a nonce is remembered as long. */
export const SERVICE_CLOCK_TOLERANCE_SECONDS = 120
