/** What one look of the doctor found. */
export interface Finding {
  readonly level: 'ok' | 'warning' | 'problem'
  /** What was looked at. */
  readonly subject: string
  readonly finding: string
  /** What to do about it. */
  readonly advice?: string
}

export function ok(subject: string, finding: string): Finding {
  return { level: 'ok', subject, finding }
}

export function warning(subject: string, finding: string, advice: string): Finding {
  return { level: 'warning', subject, finding, advice }
}

export function problem(subject: string, finding: string, advice: string): Finding {
  return { level: 'problem', subject, finding, advice }
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
