export class UsageError extends Error {
  /** The command that shows the help. */
  readonly help: string

  constructor(message: string, help = 'cofre --help') {
    super(message)
    this.name = 'UsageError'
    this.help = help
  }

  /** The message for the person. */
  get sentence(): string {
    return `cofre: ${this.message} (see ${this.help})`
  }
}
