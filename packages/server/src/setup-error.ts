/** Something outside the process that the start needs and cannot have. The message says what, and what to do. */
export class SetupError extends Error {
  constructor(message: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    super(`${message} (${reason})`, { cause })
    this.name = 'SetupError'
  }
}

/** Does a step of the start. @throws SetupError that says what to do when it fails */
export async function setUp<T>(message: string, step: () => T | Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (cause) {
    if (cause instanceof SetupError) throw cause
    throw new SetupError(message, cause)
  }
}
