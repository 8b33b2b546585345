/** No connection to the vault came about: it was asked nothing. */
export class VaultUnreachableError extends Error {
  constructor(cause: Error) {
    super(`the vault was not reached: ${reasonOf(cause)}`, { cause })
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

/** When every address of a host fails, Node's error has a code and no message. */
function reasonOf(cause: Error): string {
  if (cause.message !== '') return cause.message
  return 'code' in cause ? String(cause.code) : cause.name
}
