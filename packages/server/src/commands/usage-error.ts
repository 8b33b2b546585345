/** A command line that cannot be understood. */
export class UsageError extends Error {
  /** The command line that helps. */
  readonly help: string

  constructor(message: string, help = 'cofre --help') {
    super(message)
    this.name = 'UsageError'
    this.help = help
  }

  /** What the person reads. */
  get sentence(): string {
    return `cofre: ${this.message} (see ${this.help})`
  }
}
