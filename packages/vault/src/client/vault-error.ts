import { reasonOf } from '@cofre/work'

/** No connection to the vault came about: it was asked nothing. */
export class VaultUnreachableError extends Error {
  /** @param failure - Not kept as the cause: its code would name the caller's database as away. */
  constructor(failure: Error) {
    super(`the vault was not reached: ${reasonOf(failure)}`)
    this.name = 'VaultUnreachableError'
  }
}

/**
 * The vault may have done what it was asked, but what came back, if anything, is not its answer.
 */
export class VaultAnswerError extends Error {
  constructor(reason: string) {
    super(`the vault's answer is missing: ${reason}`)
    this.name = 'VaultAnswerError'
  }
}

/**
 * The vault answered 401: it did not accept the signature. That is no proof that nothing was done:
 * no signature makes sure who says so, and the copy of a request that has been acted on is refused
 * as well.
 */
export class VaultRefusalError extends VaultAnswerError {
  constructor() {
    super(
      'answered 401, so it refuses the signature: COFRE_VAULT_SERVICE_KEY is not the vault’s, or the clocks are minutes apart',
    )
    this.name = 'VaultRefusalError'
  }
}
