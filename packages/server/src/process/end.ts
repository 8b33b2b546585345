import { type Log, SECOND_MS } from '@cofre/contracts'
import { NoAnswerError, answeredWithin } from '@cofre/work'
import type { AdmissionControl } from '../http/admission.js'

/** Ends something, immediately or when its promise resolves. */
type End = () => unknown

/** Steps that end a process. */
export interface ProcessEnd {
  /** Stops everything that accepts work: all stop at once and finish running work. */
  readonly stops: End[]
  /** Closes what that work needs, afterwards, in reverse order of opening. */
  readonly closings: End[]
}

/** Longer than a delivery may take, shorter than the 30 s after which supervisors kill. */
const END_MS = 25 * SECOND_MS

/** The end of a service. */
export interface ServiceEnd extends ProcessEnd {
  readonly control: Pick<AdmissionControl, 'underWay'>
}

/** Ends a process like `endProcess`, and logs whether all requests were finished. */
export async function endService(
  service: ServiceEnd,
  log: Log,
  withinMs = END_MS,
): Promise<boolean> {
  let drained = false
  // Runs first of the closings. By then, every listener has ended its connections, even those with
  // a running request. A response that was sent may still be lost on its way, which is not counted.
  service.closings.push(() => {
    drained = service.control.underWay() === 0
  })
  const isClean = await endProcess(service, log, withinMs)
  const underWay = service.control.underWay()
  log.info({ drained, underWay, clean: isClean }, 'stopped')
  return isClean
}

/**
 * Ends everything that a process opened, even after failures. Resolves to false if something failed
 * or exceeded the time limit. Other processes or the next start continue unfinished work.
 */
export async function endProcess(
  { stops, closings }: ProcessEnd,
  log: Log,
  withinMs = END_MS,
): Promise<boolean> {
  let isClean = true
  const guarded = async (end: End): Promise<void> => {
    try {
      await end()
    } catch (error) {
      isClean = false
      log.error({ error }, 'part of the process could not be closed')
    }
  }
  try {
    await answeredWithin(withinMs, async () => {
      await Promise.all(stops.splice(0).map(guarded))
      for (const closing of closings.splice(0).reverse()) await guarded(closing)
    })
  } catch (error) {
    if (!(error instanceof NoAnswerError)) throw error
    isClean = false
    log.error(
      { afterMs: withinMs },
      'process ended with unfinished work; other processes or the next start continue it',
    )
  }
  return isClean
}
