export interface Finding {
  readonly level: 'ok' | 'warning' | 'problem'
  /** Subject of the check. */
  readonly subject: string
  readonly finding: string
  /** How to fix it. */
  readonly advice?: string
}

/** Creates findings on one subject. */
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

/** Message of an error, or of its cause. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { message, cause } = error
  if (message !== '') return message
  // Node collects the failures of several addresses in an error without a message.
  const { code } = error as NodeJS.ErrnoException
  return code ?? (cause === undefined ? error.name : messageOf(cause))
}
