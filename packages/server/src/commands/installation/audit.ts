import { type AuditEntry, type AuditVerdict, type ChainLink, headText } from '@cofre/vault'
import { administerVault } from '../../installation/keys.js'
import { type CommandContext, type Shown, operatorEvent, timeText } from '../line/command.js'

interface ListOptions {
  readonly limit: number
  readonly action?: string
  readonly record?: string
  readonly since?: number
}

/** `cofre audit`: acts on cards and keys. */
export const auditCommands = { 'audit verify': verify, 'audit list': list }

async function verify(
  context: CommandContext,
  { head }: { readonly head?: ChainLink },
): Promise<Shown> {
  const verdict = await administerVault(context.config('dev'), context.clock, async (vault) => {
    const found = await vault.verifyAuditLog(head)
    await vault.recordEvent(
      operatorEvent({
        action: 'audit_log.verified',
        record: String(found.kind === 'intact' ? found.head.position : found.position),
        outcome: found.kind,
      }),
    )
    return found
  })
  const isFailure = verdict.kind === 'broken'
  const data = isFailure ? verdict : { ...verdict, head: headText(verdict.head) }
  return { data, text: verdictText(verdict), isFailure }
}

async function list(
  context: CommandContext,
  { limit, action, record, since: sinceMs }: ListOptions,
): Promise<Shown> {
  const entries = await administerVault(context.config('dev'), context.clock, (vault) =>
    vault.listAuditLog({ limit, action, record, sinceMs }),
  )
  const data = entries.map(({ atMs, ...entry }) => ({ at: timeText(atMs), ...entry }))
  return { data, text: entries.map(lineOf).join('') }
}

const BREAKS: Readonly<Record<Extract<AuditVerdict, { kind: 'broken' }>['reason'], string>> = {
  changed: 'it was changed or moved',
  missing: 'it is missing',
  another_head: 'it differs from the given head',
}

function verdictText(verdict: AuditVerdict): string {
  if (verdict.kind === 'broken')
    return `The audit log is broken at entry ${verdict.position}: ${BREAKS[verdict.reason]}.\n`
  const { position } = verdict.head
  if (position === 0) return 'The audit log is empty.\n'
  return `The audit log is intact: ${position} ${position === 1 ? 'entry' : 'entries'}.\nHead: ${headText(verdict.head)}\n`
}

function lineOf({ atMs, action, outcome, record, actor, environment }: AuditEntry): string {
  const where = environment === undefined ? '' : ` in ${environment}`
  return `${timeText(atMs)}  ${action}  ${record}  ${outcome}  by ${actor}${where}\n`
}
