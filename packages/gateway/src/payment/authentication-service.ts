import { ApiError, type Clock } from '@cofre/contracts'
import { type Merchant, liveSecrets } from '../model/merchant/merchant.js'
import type { MerchantStore } from '../model/merchant/merchant-store.js'
import { type SignatureDigestRule, type SignedRequest, isSignatureOf } from './request-signature.js'

export interface AuthenticationDeps {
  readonly merchants: MerchantStore
  readonly signatureDigest: SignatureDigestRule
  /** The machine's own time, by which a secret that was replaced still signs. */
  readonly machineClock: Clock
}

const AUTHORIZATION = /^(?<merchantId>[^:\s]+):(?<hmacHex>[0-9a-f]{64})$/

/**
 * The store that signed the request.
 * @param authorization - The header: `<store id>:<hex hmac>`.
 * @throws ApiError header_authorization_missing, _bad_format, _invalid
 */
export async function authenticate(
  deps: AuthenticationDeps,
  authorization: string | undefined,
  request: SignedRequest,
): Promise<Merchant> {
  if (authorization === undefined || authorization === '')
    throw new ApiError('header_authorization_missing')
  const { merchantId, hmacHex } = AUTHORIZATION.exec(authorization)?.groups ?? {}
  if (merchantId === undefined || hmacHex === undefined) {
    throw new ApiError('header_authorization_bad_format')
  }
  const merchant = await deps.merchants.find(merchantId)
  const rule = deps.signatureDigest
  if (
    merchant?.enabled !== true ||
    !liveSecrets(merchant, deps.machineClock.now()).some((secret) =>
      isSignatureOf(request, hmacHex, { secret, rule }),
    )
  ) {
    throw new ApiError('header_authorization_invalid')
  }
  return merchant
}
