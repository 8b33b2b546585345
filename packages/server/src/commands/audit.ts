import {
  type AuditEntry,
  type AuditVerdict,
  type ChainLink,
  headText,
  parseHead,
} from '@cofre/vault'
import type { Command } from 'commander'
import { administerVault } from '../installation/keys.js'
import {
  type CommandContext,
  type Shown,
  limitOption,
  operatorEvent,
  reads,
  shows,
} from './command.js'

interface ListOptions {
  readonly limit: number
  readonly action?: string
  readonly record?: string
  readonly since?: number
}

/** `cofre audit`: what was done with cards and keys. */
export function addAuditCommands(program: Command, context: CommandContext): void {
  const audit = program
    .command('audit')
    .summary('What was done with cards and keys: verify, list')
    .description(
      "The vault's audit log: who did what to which record, when, and how it ended. It holds no card data, and each entry is chained to all before it.",
    )
    .addHelpText('after', EXAMPLES)
  const verifying = audit
    .command('verify')
    .description(
      'Walks the whole chain and shows the first break, with exit code 1. Keep the head that it prints elsewhere: only with it is it noticed that the end of the log was cut off.',
    )
    .option(
      '--head <head>',
      'A head that was printed or logged earlier',
      reads('A head is a number, a colon and 43 characters.', parseHead),
    )
  shows(verifying, context, ({ head }: { head?: ChainLink }) => verify(context, head))
  const listing = audit
    .command('list')
    .description('Shows the latest entries, the newest first.')
    .addOption(limitOption())
    .option('--action <action>', 'Only one kind, like saved_card.deleted')
    .option('--record <id>', "Only one record: a transaction's or saved card's code, a key's id")
    .option('--since <time>', 'Only from a time on, like 2026-11-21 or 2026-11-21T10:00Z', readTime)
  shows(listing, context, (options: ListOptions) => list(context, options))
}

const readTime = reads('It takes a time like 2026-11-21 or 2026-11-21T10:00Z.', (text) => {
  const atMs = Date.parse(text)
  return Number.isNaN(atMs) ? undefined : atMs
})

async function verify(context: CommandContext, head: ChainLink | undefined): Promise<Shown> {
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
  changed: 'it, or its place, was changed',
  missing: 'it is missing',
  another_head: 'it is not the one that the given head ends with',
}

function verdictText(verdict: AuditVerdict): string {
  if (verdict.kind === 'broken')
    return `The audit log is broken at entry ${verdict.position}: ${BREAKS[verdict.reason]}.\n`
  const { position } = verdict.head
  if (position === 0) return 'The audit log is empty.\n'
  return `The audit log is whole: ${position} ${position === 1 ? 'entry' : 'entries'}.\nHead: ${headText(verdict.head)}\n`
}

function lineOf({ atMs, action, outcome, record, actor, environment }: AuditEntry): string {
  const where = environment === undefined ? '' : ` in ${environment}`
  return `${timeText(atMs)}  ${action}  ${record}  ${outcome}  by ${actor}${where}\n`
}

function timeText(atMs: number): string {
  return new Date(atMs).toISOString()
}

const EXAMPLES = `
Examples
  cofre audit verify
  cofre audit list --action saved_card.deleted --since 2026-11-01
`
