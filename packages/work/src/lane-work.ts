import { type DueWork, type Round } from './due-work.js'
import { type Lanes, createLanes } from './lanes.js'

/** Four rounds begin each second, for longer than a call to a provider may take. */
const ROUNDS_AT_ONCE = 96
/** Items under way: a few unanswered ones of a provider don't block its others. */
const PLACES = 640
const SOON_MS = 250

export interface WorkInLanes<Name extends string> {
  readonly name: Name
  /** Default: four times a second. */
  readonly everyMs?: number
  readonly run: (lanes: Lanes, round: Round) => Promise<unknown>
}

/** Work that waits for banks, or for the vault's acquirers: a hanging one delays no other. */
export function inLanes<Name extends string>({
  name,
  everyMs = SOON_MS,
  run,
}: WorkInLanes<Name>): DueWork<Name> {
  const lanes = createLanes(PLACES)
  return { name, everyMs, parallel: ROUNDS_AT_ONCE, run: (round) => run(lanes, round) }
}
