// Commands for work that an acquirer left undecided, and for gateways that lost reports. The data
// is in the vault's database, so they run on the vault's machine.
import type { MinorUnits } from '@cofre/contracts'
import type { ResolutionResult, VaultAdministration } from '@cofre/vault'
import { administerVault } from '../../installation/keys.js'
import {
  type CommandContext,
  type InEnvironment,
  type Shown,
  UsageError,
  operator,
  operatorEvent,
  table,
  timeText,
} from '../line/command.js'

/** `cofre transactions`: work that acquirers leave to people. */
export const acquirersTransactionsCommands = {
  'transactions resolve': resolve,
  'transactions report-again': reportAgain,
  'transactions unlinked': listUnlinked,
}

interface ResolveOptions extends InEnvironment {
  readonly code: string
  readonly as: keyof typeof RESOLUTIONS
  readonly reason: string
  /** The captured part of the charge; without it, the ordered part or all of it. */
  readonly amount?: MinorUnits
  /** A refund of the transaction, instead of its charge. */
  readonly refund?: string
  /** The cancel of one of its payments, by the acquirer's id or, with `true`, by our key only. */
  readonly cancel?: string | true
}

/** A person's finding at the acquirer. */
const RESOLUTIONS = {
  done: 'done',
  'not-done': 'not done',
  captured: 'captured',
  released: 'released',
} as const

async function resolve(context: CommandContext, options: ResolveOptions): Promise<Shown> {
  const { code, as, refund, cancel, amount, environment } = options
  if (refund !== undefined && cancel !== undefined)
    throw new UsageError('use either --refund or --cancel')
  if (isOfCapture(as) && (refund ?? cancel) !== undefined)
    throw new UsageError(`use --as ${as} for a capture or a void, without --refund or --cancel`)
  if (amount !== undefined && as !== 'captured')
    throw new UsageError('use --amount only with --as captured')
  const result = await administerVault(context.config('dev'), context.clock, (vault) =>
    resolveIn(vault, options),
  )
  const what = subjectOf(options)
  return {
    data: { code, refund: refund ?? null, cancel: cancel ?? null, environment, as, result },
    text: `${what} ${RESULTS[result](RESOLUTIONS[as])}\n`,
    isFailure: result !== 'resolved',
  }
}

function isOfCapture(as: ResolveOptions['as']): as is 'captured' | 'released' {
  return as === 'captured' || as === 'released'
}

async function resolveIn(
  vault: VaultAdministration,
  { code, as, reason, amount: capturedMinor, refund, cancel, environment }: ResolveOptions,
): Promise<ResolutionResult> {
  const actor = operator()
  const key = { environment, transactionCode: code }
  if (isOfCapture(as))
    return await vault.resolveCapture(key, { end: as, capturedMinor, reason, actor })
  const resolution = { isDone: as === 'done', reason, actor }
  if (refund !== undefined)
    return await vault.resolveRefund({ environment, name: refund }, resolution)
  if (cancel === undefined) return await vault.resolveCharge(key, resolution)
  const paymentId = cancel === true ? undefined : cancel
  return await vault.resolveCancel({ ...key, paymentId }, resolution)
}

function subjectOf({ as, code, refund, cancel }: ResolveOptions): string {
  if (isOfCapture(as)) return `The capture or void of ${code}`
  if (refund !== undefined) return `The refund ${refund} of ${code}`
  if (cancel === undefined) return `The charge of ${code}`
  return cancel === true
    ? `The cancel of ${code}`
    : `The cancel of the payment ${cancel} of ${code}`
}

const RESULTS: Readonly<Record<ResolutionResult, (as: string) => string>> = {
  resolved: (as) => `is ended as ${as}: its gateway is informed, and the audit log has the reason.`,
  not_open: () => 'is not open: it does not exist here, or its outcome is known.',
  too_early: () =>
    'may still be decided by its acquirer: see cofre transactions undecided for the time when you may decide.',
  too_much: () => 'is of a charge of less than this amount: check it on the acquirer’s site.',
}

interface ReportOptions extends InEnvironment {
  readonly since: number
}

/** For a gateway with a restored database: it applies each change once. */
async function reportAgain(
  context: CommandContext,
  { since, environment }: ReportOptions,
): Promise<Shown> {
  const record = timeText(since)
  const released = await administerVault(context.config('dev'), context.clock, async (vault) => {
    const { changes, events } = await vault.announceAgain(environment, since)
    const event = operatorEvent({
      action: 'changes.reported_again',
      record,
      outcome: `changes: ${changes}, events: ${events}`,
    })
    await vault.recordEvent({ ...event, environment })
    return { changes, events }
  })
  const { changes, events } = released
  const ofChanges =
    changes === 0
      ? `No gateway of ${environment} has read a change of a charge since ${record}, and none waits: nothing is reported again.\n`
      : `Changes of charges in ${environment} that are reported again: ${changes}. A gateway's worker reads them within seconds, and ignores those that it already knows.\n`
  const ofEvents =
    events === 0
      ? ''
      : `Events that contradicted their charge in ${environment}, and are applied again: ${events}. A vault does so within seconds; cofre doctor lists those that still contradict it.\n`
  const text = changes === 0 && events > 0 ? ofEvents : ofChanges + ofEvents
  return { data: { environment, since: record, ...released }, text }
}

/** Charges of saved cards that lacked an id that the card's brand requires. */
async function listUnlinked(
  context: CommandContext,
  { environment }: InEnvironment,
): Promise<Shown> {
  const all = await administerVault(context.config('dev'), context.clock, (vault) =>
    vault.unlinkedCharges(),
  )
  const unlinked = all
    .filter((charge) => charge.environment === environment)
    .map(({ transactionCode: code, brand, accountId: account, sentAtMs }) => ({
      code,
      brand,
      account,
      sent: timeText(sentAtMs),
    }))
  const rows = unlinked.map(({ code, brand, account, sent }) => [code, brand, account, sent])
  const text =
    rows.length === 0
      ? `Every charge of a saved card of the last 30 days in ${environment} names the charge that it follows.\n`
      : `${table(['Code', 'Brand', 'Account', 'Sent'], rows)}\n\n${FILL_LINKS}`
  return { data: { environment, unlinked }, text }
}

const FILL_LINKS = `These were sent anyway. cofre cards fill-links asks the acquirers for the missing ids.
`
