import { type Log, SECOND_MS } from '@cofre/contracts'
import { NoAnswerError, answeredWithin } from '@cofre/work'
import type { AdmissionControl } from '../http/admission.js'

/** Ends something, at once or when its promise resolves. */
type End = () => unknown

/** What a process undoes when it ends. */
export interface ProcessEnd {
  /** What takes work: it is all asked at once to take no more and to let what runs finish. */
  readonly stops: End[]
  /** What work needs: closed afterwards, the last one opened first. */
  readonly closings: End[]
}

/** Longer than a delivery may take, shorter than the 30 s after which supervisors kill. */
const END_MS = 25 * SECOND_MS

/** What has served until now. */
export interface ServiceEnd extends ProcessEnd {
  readonly control: Pick<AdmissionControl, 'underWay'>
}

/** Ends a process as `endProcess` does, and logs whether no request was still being worked on. */
export async function endService(
  service: ServiceEnd,
  log: Log,
  withinMs = END_MS,
): Promise<boolean> {
  let drained = false
  // The first of the closings: by then every listener has ended its connections, those that were
  // being answered included. An answer that was given may still have been lost on its way: nobody
  // counts those.
  service.closings.push(() => {
    drained = service.control.underWay() === 0
  })
  const isClean = await endProcess(service, log, withinMs)
  const underWay = service.control.underWay()
  log.info({ drained, underWay, clean: isClean }, 'stopped')
  return isClean
}

/**
 * Ends what a process has opened, whatever fails on the way. Resolves to false when something
 * failed, or had not ended in time; what it leaves is taken up by other processes or the next
 * start.
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
      log.error({ error }, 'something could not be closed')
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
    log.error({ afterMs: withinMs }, 'not everything ended in time: the rest is left to others')
  }
  return isClean
}
