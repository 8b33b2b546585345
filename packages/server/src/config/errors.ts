/** An error that the operator can mend. Its message says what happened and what to do. */
export class OperatorError extends Error {}

/** A variable whose value cannot be used. The message names it and what it accepts. */
export class ConfigError extends OperatorError {
  /** What to do about it. */
  readonly advice: string

  constructor(variable: string, value: string | undefined, accepts: string) {
    const wrong = value === undefined ? ' is not set' : `=${JSON.stringify(value)} is not usable`
    super(`${variable}${wrong}: ${accepts}`)
    this.name = 'ConfigError'
    this.advice = `${value === undefined ? 'set' : 'correct'} ${variable}; see docs/configuration.md`
  }
}

/** Something outside the process that a command needs and cannot have. */
export class SetupError extends OperatorError {
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
