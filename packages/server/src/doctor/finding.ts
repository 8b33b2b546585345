/** One result of the doctor. */
export interface Finding {
  readonly level: 'ok' | 'warning' | 'problem'
  /** What was looked at. */
  readonly subject: string
  readonly finding: string
  /** What to do about it. */
  readonly advice?: string
}

/** Makes findings on one subject. */
export function about(subject: string) {
  const bad = (level: 'warning' | 'problem') => {
    return (finding: string, advice: string): Finding => ({ level, subject, finding, advice })
  }
  return {
    ok: (finding: string): Finding => ({ level: 'ok', subject, finding }),
    warning: bad('warning'),
    problem: bad('problem'),
  }
}

/** What a failure says of itself. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { message, cause } = error
  if (message !== '') return message
  // Node gathers the failures of several addresses in an error without a message.
  const { code } = error as NodeJS.ErrnoException
  return code ?? (cause === undefined ? error.name : messageOf(cause))
}
