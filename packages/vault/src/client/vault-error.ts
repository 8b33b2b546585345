import { reasonOf } from '@cofre/work'

/** No connection to the vault was made: it got no request. */
export class VaultUnreachableError extends Error {
  /**
   * @param failure - Not kept as the cause: its code would mark the caller's database as
   * unavailable.
   */
  constructor(failure: Error) {
    super(`the vault was not reached: ${reasonOf(failure)}`)
    this.name = 'VaultUnreachableError'
  }
}

/** The vault may have done the work, but its answer is missing, or what came isn't its answer. */
export class VaultAnswerError extends Error {
  constructor(reason: string) {
    super(`the vault's answer is missing: ${reason}`)
    this.name = 'VaultAnswerError'
  }
}

/**
 * The vault answered 401: it did not accept the signature. That doesn't prove that nothing was
 * done. The answer is unsigned, so it may come from another sender. Also, the vault refuses a copy
 * of a request that it has acted on.
 */
export class VaultRefusalError extends VaultAnswerError {
  constructor() {
    super(
      'answered 401, so it refuses the signature: COFRE_VAULT_SERVICE_KEY is not the vault’s, or the clocks are minutes apart',
    )
    this.name = 'VaultRefusalError'
  }
}
