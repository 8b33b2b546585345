import {
  type AuditEntry,
  type AuditVerdict,
  type ChainLink,
  headText,
  parseHead,
} from '@cofre/vault'
import { type Command, InvalidArgumentError } from 'commander'
import { administerVault } from '../vault-administration.js'
import { type CommandContext, JSON_OPTION, type JsonOption, printData } from './command-context.js'
import { LISTED, LISTED_MAX, readLimit } from './listed-limit.js'
import { operatorEvent } from './operator.js'

interface VerifyOptions extends JsonOption {
  readonly head?: ChainLink
}

interface ListOptions extends JsonOption {
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
  audit
    .command('verify')
    .description(
      'Walks the whole chain and tells the first break, with exit code 1. Keep the head that it prints elsewhere: only with it is it noticed that the end of the log was cut off.',
    )
    .option('--head <head>', 'A head that was printed or logged earlier', readHead)
    .option(...JSON_OPTION)
    .action((options: VerifyOptions) => verify(context, options))
  audit
    .command('list')
    .description('Shows the latest entries, the newest first.')
    .option('--limit <n>', `How many at most (to ${LISTED_MAX})`, readLimit, LISTED)
    .option('--action <action>', 'Only one kind, like saved_card.deleted')
    .option('--record <id>', "Only one record: a transaction's or saved card's code, a key's id")
    .option('--since <time>', 'Only from a time on, like 2026-11-21 or 2026-11-21T10:00Z', readTime)
    .option(...JSON_OPTION)
    .action((options: ListOptions) => list(context, options))
}

async function verify(context: CommandContext, { head, ...options }: VerifyOptions): Promise<void> {
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
  printData(context, options, { data: jsonOf(verdict), text: verdictText(verdict) })
  if (verdict.kind === 'broken') context.fail()
}

async function list(context: CommandContext, options: ListOptions): Promise<void> {
  const { limit, action, record, since: sinceMs } = options
  const entries = await administerVault(context.config('dev'), context.clock, (vault) =>
    vault.listAuditLog({ limit, action, record, sinceMs }),
  )
  const data = entries.map(({ atMs, ...entry }) => ({ at: timeText(atMs), ...entry }))
  printData(context, options, { data, text: entries.map(lineOf).join('') })
}

function jsonOf(verdict: AuditVerdict): object {
  return verdict.kind === 'intact' ? { ...verdict, head: headText(verdict.head) } : verdict
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

function readHead(text: string): ChainLink {
  const head = parseHead(text)
  if (head !== undefined) return head
  throw new InvalidArgumentError('A head is a number, a colon and 43 characters.')
}

function readTime(text: string): number {
  const atMs = Date.parse(text)
  if (!Number.isNaN(atMs)) return atMs
  throw new InvalidArgumentError('It takes a time like 2026-11-21 or 2026-11-21T10:00Z.')
}

const EXAMPLES = `
Examples
  cofre audit verify
  cofre audit list --action saved_card.deleted --since 2026-11-01
`
