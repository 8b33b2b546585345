import type { Database } from '@cofre/sql'
import type { BankEventRow, SandboxTables, SandboxUnit } from '../database/sandbox-tables.js'
import type { BankEvent, BankEventClaim, BankEventStore } from './bank-event-store.js'

export function createSqlBankEventStore(database: Database<SandboxTables>): BankEventStore {
  return {
    plan: (event, dueAtMs) =>
      database.transact(async (trx) => {
        await trx
          .insertInto('bank_events')
          .values({
            subject: event.subject,
            subject_id: Number(event.id),
            outcome: event.outcome,
            due_at: dueAtMs,
            lease_until: null,
          })
          .onConflict((conflict) => conflict.doNothing())
          .execute()
      }),

    async isKnown({ subject, id }) {
      const row = await database.reader
        .selectFrom('bank_events')
        .select('subject_id')
        .where('subject', '=', subject)
        .where('subject_id', '=', Number(id))
        .executeTakeFirst()
      return row !== undefined
    },

    async claimDue(claim) {
      // Most of the time nothing is due: found out without a unit of work.
      const [first] = await due(database.reader, { ...claim, limit: 1 }).execute()
      if (first === undefined) return []
      return await database.transact((trx) => lease(trx, claim))
    },

    postpone: (event, untilMachineMs) =>
      database.transact(async (trx) => {
        await trx
          .updateTable('bank_events')
          .set({ lease_until: untilMachineMs })
          .where('subject', '=', event.subject)
          .where('subject_id', '=', Number(event.id))
          .execute()
      }),

    done: (event) =>
      database.transact(async (trx) => {
        await trx
          .deleteFrom('bank_events')
          .where('subject', '=', event.subject)
          .where('subject_id', '=', Number(event.id))
          .execute()
      }),
  }
}

function due(trx: SandboxUnit, { nowMs, machineNowMs, leaseMs, limit }: BankEventClaim) {
  return trx
    .selectFrom('bank_events')
    .selectAll()
    .where('due_at', '<=', nowMs)
    .where((when) =>
      when.or([
        when('lease_until', 'is', null),
        when('lease_until', '<=', machineNowMs),
        // Made before the machine's clock was set back.
        when('lease_until', '>', machineNowMs + 2 * leaseMs),
      ]),
    )
    .orderBy('due_at')
    .limit(limit)
}

async function lease(trx: SandboxUnit, claim: BankEventClaim): Promise<readonly BankEvent[]> {
  const rows = await due(trx, claim).forUpdate().skipLocked().execute()
  for (const row of rows) {
    await trx
      .updateTable('bank_events')
      .set({ lease_until: claim.machineNowMs + claim.leaseMs })
      .where('subject', '=', row.subject)
      .where('subject_id', '=', row.subject_id)
      .execute()
  }
  return rows.map(eventOf)
}

/** The database holds only what `plan` wrote. */
function eventOf({ subject, subject_id: id, outcome }: BankEventRow): BankEvent {
  return { subject, id: String(id), outcome } as BankEvent
}
