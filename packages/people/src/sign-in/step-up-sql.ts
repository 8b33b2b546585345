import { insertAct } from '../log/acts-log-sql.js'
import { digestOf } from '../model/digest.js'
import { PROOFS, countFailure, endCount } from './lockout-sql.js'
import type { OpenedSession, Origin, StaffSession, StepUpProof } from '../model/people.js'
import { endSession, renewSession } from './session-sql.js'
import { OWN_ACT, originOf, useCode, usePasskey } from './sign-in-sql.js'
import { type PeopleDeps, type Unit, inUnit } from '../model/unit.js'

/** Five wrong proofs end the session, since its holder may not be the person. */
export async function stepUp(
  deps: PeopleDeps,
  session: StaffSession,
  { proof, from }: { readonly proof: StepUpProof; readonly from: Origin },
): Promise<OpenedSession | 'refused' | 'ended'> {
  const key = digestOf(session.idHash, 'step-up')
  const act = { ...OWN_ACT, ...originOf(from), actor: `person:${session.personId}` } as const
  // Counted and committed first, so that simultaneous proofs all count.
  const { waitMs, failures } = await inUnit(deps, ({ trx, nowMs }) =>
    countFailure(trx, { key, limit: PROOFS }, nowMs),
  )
  return await inUnit(deps, async (unit) => {
    const { trx, nowMs } = unit
    const isProved = waitMs === 0 && (await isProof(unit, session, proof))
    const renewed = isProved
      ? await renewSession(trx, session, { stepped_up_at: nowMs })
      : undefined
    if (renewed !== undefined) {
      await endCount(trx, key)
      return renewed
    }
    await insertAct(unit, { ...act, action: 'step-up-failed', outcome: 'refused' })
    if (failures < PROOFS.failuresMax) return 'refused'
    await endSession(trx, session.idHash)
    return 'ended'
  })
}

async function isProof(
  unit: Unit,
  { personId }: StaffSession,
  proof: StepUpProof,
): Promise<boolean> {
  if ('passkey' in proof) return (await usePasskey(unit, proof.passkey, personId)) !== undefined
  const person = await unit.trx
    .selectFrom('people')
    .selectAll()
    .where('id', '=', personId)
    .executeTakeFirst()
  return await useCode(unit, person, proof.code)
}
