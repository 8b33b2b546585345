// Adds to saved cards the ids by which their brands link charges. This command plans the reading of
// payments, a few at a time. The serving vault reads them, so that the call limits of its accounts
// hold.
import { setTimeout as pause } from 'node:timers/promises'
import { MINUTE_MS, SECOND_MS } from '@cofre/contracts'
import type { LinkCount, LinkFillStep, VaultAdministration } from '@cofre/vault'
import { administerVault } from '../../installation/keys.js'
import {
  counted,
  type CommandContext,
  type Shown,
  type Shows,
  operatorEvent,
} from '../line/command.js'

export const fillLinksCommand = { 'cards fill-links': fillLinks }

const STEP_MS = SECOND_MS / 2
/** The vault retries an acquirer that does not answer after five minutes. */
const STUCK_MS = 15 * MINUTE_MS

interface Progress {
  readonly planned: number
  readonly unreadable: number
  readonly early: number
  readonly waiting: number
}

/**
 * May be stopped at any time: the vault reads the planned payments, and a further run continues.
 */
async function* fillLinks(context: CommandContext): Shows {
  const config = context.config('dev')
  const onVault = <T>(work: (vault: VaultAdministration) => Promise<T>): Promise<T> =>
    administerVault(config, context.clock, work)
  const before = await onVault((vault) => vault.countLinks())
  yield begun(before)
  let after: string | undefined = ''
  let progress: Progress = { planned: 0, unreadable: 0, early: 0, waiting: 0 }
  let movedAtMs = context.clock.now()
  while (after !== undefined || progress.waiting > 0) {
    const from: string | undefined = after
    const step: LinkFillStep = await onVault((vault) => vault.planLinkFill(from ?? LAST))
    const next = {
      planned: progress.planned + step.planned,
      unreadable: progress.unreadable + step.unreadable,
      early: progress.early + step.early,
      waiting: step.waiting,
    }
    const isMoved = step.planned > 0 || step.after !== from || next.waiting !== progress.waiting
    if (isMoved) movedAtMs = context.clock.now()
    if (isMoved && next.waiting > 0) yield progressText(next)
    if (context.clock.now() - movedAtMs >= STUCK_MS) {
      yield { ...stuck(next), isFailure: true }
      return
    }
    progress = next
    after = step.after
    if (progress.waiting > 0) await pause(STEP_MS)
  }
  const end = await onVault(async (vault) => {
    const left = await vault.countLinks()
    const outcome = `filled: ${before.lacking - left.lacking}, lacking: ${left.lacking}`
    await vault.recordEvent(operatorEvent({ action: 'saved_cards.linked', record: 'all', outcome }))
    return left
  })
  yield ended({ before, end, progress })
}

/** Sorts after the code of every card. */
const LAST = '~'

function begun({ cards, lacking }: LinkCount): Shown {
  return {
    data: { cards, lacking },
    text: `${lacking} of ${cards} saved cards lack an id that their brand requires.\n`,
  }
}

function progressText({ planned, waiting }: Progress): Shown {
  return {
    data: { planned, waiting },
    text: `Payments asked for: ${planned}, not read yet: ${waiting}.\n`,
  }
}

function stuck({ waiting }: Progress): Shown {
  return {
    data: { stuck: true, waiting },
    text: `${waiting} payments are not read: is the vault running, and does the acquirer answer? They stay planned: run this again later.\n`,
  }
}

interface End {
  readonly before: LinkCount
  readonly end: LinkCount
  readonly progress: Progress
}

function ended({ before, end, progress: { planned, unreadable, early } }: End): Shown {
  const filled = before.lacking - end.lacking
  return {
    data: { cards: end.cards, filled, lacking: end.lacking, asked: planned, unreadable, early },
    text: `Filled ${counted(filled, 'card')}; ${end.lacking} still lack an id${reasonOf(end, { unreadable, early })}.\n`,
  }
}

function reasonOf(
  { lacking }: LinkCount,
  { unreadable, early }: Pick<Progress, 'unreadable' | 'early'>,
): string {
  if (lacking === 0) return ''
  const tooEarly =
    early === 0
      ? ''
      : `${early} whose account is new: the running vault finds out within ten minutes whether it can be read, so run this again then; `
  return `: ${tooEarly}${unreadable} without a payment that can be read, the others because their acquirer returned none. The next charge of such a card returns one`
}
