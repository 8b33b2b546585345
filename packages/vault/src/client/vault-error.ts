/** No connection to the vault came about: it was asked nothing. */
export class VaultUnreachableError extends Error {
  constructor(cause: Error) {
    super(`the vault was not reached: ${cause.message}`, { cause })
    this.name = 'VaultUnreachableError'
  }
}

/** The vault may have done what it was asked, but what came back, if anything, is not its answer. */
export class VaultAnswerError extends Error {
  constructor(reason: string) {
    super(`the vault's answer is missing: ${reason}`)
    this.name = 'VaultAnswerError'
  }
}
