import { fileVariableOf, readSecretFile, secretFilesOf } from './secret-file.js'

/** A configuration value that cannot be used. The message names the variable and what it accepts. */
export class ConfigError extends Error {
  /** What to do about it. */
  readonly advice: string

  constructor(variable: string, value: string | undefined, accepts: string) {
    super(
      `${variable}${value === undefined ? ' is not set' : `=${JSON.stringify(value)} is not usable`}: ${accepts}`,
    )
    this.name = 'ConfigError'
    this.advice = `${value === undefined ? 'set' : 'correct'} ${variable}; see docs/configuration.md`
  }
}

export type Environ = Readonly<Record<string, string | undefined>>

/** How one variable is read. */
export interface VariableRule<T> {
  /** What the variable accepts, for the error message. */
  readonly accepts: string
  /** Undefined, or an exception, when the text is not acceptable. */
  readonly read: (text: string) => T | undefined
  /** Whether the value must not be shown in an error. */
  readonly secret?: boolean
}

/** The process's environment, read one variable at a time. */
export class Variables {
  readonly #environ: Environ
  readonly #known = new Set<string>()

  constructor(environ: Environ) {
    this.#environ = environ
  }

  /** Undefined when the variable is unset or empty. @throws ConfigError */
  optional<T>(name: string, rule: VariableRule<T>): T | undefined {
    this.#known.add(name)
    const text = this.#environ[name]
    if (text === undefined || text === '') return undefined
    const value = readSafely(rule, text)
    if (value === undefined) {
      throw new ConfigError(name, rule.secret === true ? '[secret]' : text, rule.accepts)
    }
    return value
  }

  /**
   * A secret: the variable's value, or what the file holds that is told in its place, so that the value is in no environment.
   * @throws ConfigError
   */
  secret<T>(name: string, rule: VariableRule<T>): T | undefined {
    this.#known.add(fileVariableOf(name))
    const value = this.optional(name, rule)
    const [told, another] = secretFilesOf(this.#environ, name)
    if (told === undefined) return value
    const refuse = (why: string): ConfigError => new ConfigError(told.toldBy, told.file, why)
    if (value !== undefined) throw refuse(`${name} is set, too: leave one of them out`)
    if (another !== undefined)
      throw refuse(`${another.toldBy} is there, too: leave one of them out`)
    const read = readSecretFile(told.file)
    if ('why' in read) throw refuse(read.why)
    const parsed = readSafely(rule, read.text)
    if (parsed === undefined) throw refuse(`the file has to hold ${rule.accepts}`)
    return parsed
  }

  /** Every variable that was read so far, set or not. */
  get known(): ReadonlySet<string> {
    return this.#known
  }

  /** A variable that has a default. @throws ConfigError */
  read<T>(name: string, rule: VariableRule<T>, fallback: T): T {
    return this.optional(name, rule) ?? fallback
  }
}

/** What a text says by a rule; undefined when it is not acceptable. */
export function readSafely<T>({ read }: VariableRule<T>, text: string): T | undefined {
  try {
    return read(text)
  } catch {
    return undefined
  }
}
