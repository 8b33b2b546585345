import { SECOND_MS } from '@cofre/contracts'
import { answeredWithin } from '@cofre/jobs'

/** Whether the process should be given work. */
export interface ReadinessReport {
  readonly ready: boolean
  /** What each thing that was looked at said: `ok`, or what is wrong with it. */
  readonly checks: Readonly<Record<string, string>>
}

/** Resolves when the thing is well. @throws Error that says what is not */
export type ReadinessCheck = () => Promise<void>

const CHECK_TIMEOUT_MS = 2 * SECOND_MS

/** What a process needs to do its work, looked at when asked. */
export class Readiness {
  readonly #checks = new Map<string, ReadinessCheck>()
  #state: 'starting' | 'running' | 'stopping' = 'starting'

  add(name: string, check: ReadinessCheck): void {
    this.#checks.set(name, check)
  }

  started(): void {
    this.#state = 'running'
  }

  /** From here on the process is not ready: it finishes what it has and wants no more. */
  stopping(): void {
    this.#state = 'stopping'
  }

  get isStopping(): boolean {
    return this.#state === 'stopping'
  }

  async report(): Promise<ReadinessReport> {
    const results = await Promise.all(
      [...this.#checks].map(async ([name, check]) => [name, await outcomeOf(check)] as const),
    )
    const checks = {
      process: this.#state === 'running' ? 'ok' : this.#state,
      ...Object.fromEntries(results),
    }
    return { ready: Object.values(checks).every((outcome) => outcome === 'ok'), checks }
  }
}

/** Whether a check is passed in time. */
export async function isWell(check: ReadinessCheck): Promise<boolean> {
  return (await outcomeOf(check)) === 'ok'
}

async function outcomeOf(check: ReadinessCheck): Promise<string> {
  try {
    await answeredWithin(CHECK_TIMEOUT_MS, check)
    return 'ok'
  } catch (error) {
    return error instanceof Error && error.message !== '' ? error.message : 'failed'
  }
}
