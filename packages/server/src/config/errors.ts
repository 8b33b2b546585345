/** An error that the operator can fix. Its message states the cause and the fix. */
export class OperatorError extends Error {}

/** A variable with an unusable value. The message names it and the accepted values. */
export class ConfigError extends OperatorError {
  /** How to fix it. */
  readonly advice: string

  constructor(variable: string, value: string | undefined, accepts: string) {
    const wrong = value === undefined ? ' is not set' : `=${JSON.stringify(value)} is not usable`
    super(`${variable}${wrong}: ${accepts}`)
    this.name = 'ConfigError'
    this.advice = `${value === undefined ? 'set' : 'correct'} ${variable}; see docs/configuration.md`
  }
}

/** An external requirement of a command that is not met. */
export class SetupError extends OperatorError {
  constructor(message: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    super(`${message} (${reason})`, { cause })
    this.name = 'SetupError'
  }
}

/** Runs a step of the start. @throws SetupError with the fix if the step fails */
export async function setUp<T>(message: string, step: () => T | Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (cause) {
    if (cause instanceof SetupError) throw cause
    throw new SetupError(message, cause)
  }
}
