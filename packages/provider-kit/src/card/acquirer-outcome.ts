// Outcomes of acquirers for metrics, traces and logs. `not_done` is certain.
import {
  type AcquirerAnswer,
  type ChargeDecision,
  type CheckDecision,
  type FoundPayment,
  type ReturnDecision,
  isNotDone,
} from './acquirer.js'

type Undecided = 'not_done' | 'unknown'

export type ChargeOutcome = ChargeDecision['outcome'] | Undecided

export function chargeOutcomeOf(answer: AcquirerAnswer<ChargeDecision>): ChargeOutcome {
  return answer.kind === 'done' ? answer.value.outcome : undecided(answer)
}

export function checkOutcomeOf(
  answer: AcquirerAnswer<CheckDecision>,
): CheckDecision['outcome'] | Undecided {
  return answer.kind === 'done' ? answer.value.outcome : undecided(answer)
}

export type ReturnOutcome = Exclude<ReturnDecision['state'], 'too_early'> | Undecided

export function returnOutcomeOf(
  answer: AcquirerAnswer<Pick<ReturnDecision, 'state'>>,
): ReturnOutcome {
  if (answer.kind !== 'done') return undecided(answer)
  const { state } = answer.value
  return state === 'too_early' ? 'not_done' : state
}

export type FindOutcome = 'found' | 'absent' | Undecided

export function findOutcomeOf(answer: AcquirerAnswer<FoundPayment>): FindOutcome {
  if (answer.kind === 'done') return 'found'
  return answer.kind === 'absent' ? 'absent' : undecided(answer)
}

function undecided(answer: AcquirerAnswer<unknown>): Undecided {
  return isNotDone(answer) ? 'not_done' : 'unknown'
}
