// What a person does where an acquirer leaves something undecided, or where a gateway has lost what
// was reported to it. The vault's database has all of it, so it runs on the vault's machine.
import { type Environment, formatAmount } from '@cofre/contracts'
import { type ResolutionResult, UNDECIDED_FOR_MS, type VaultAdministration } from '@cofre/vault'
import { administerVault } from '../installation/keys.js'
import {
  type CommandContext,
  type InEnvironment,
  type Shown,
  UsageError,
  operator,
  operatorEvent,
  table,
  timeText,
} from './command.js'

/** `cofre transactions`: what acquirers leave to people. */
export const acquirersTransactionsCommands = {
  'transactions undecided': listUndecided,
  'transactions resolve': resolve,
  'transactions report-again': reportAgain,
}

/** Something that a person has to end. */
interface Undecided {
  readonly environment: Environment
  readonly code: string
  readonly what: 'charge' | 'cancel' | 'refund' | 'change'
  readonly amount: string
  readonly account: string
  readonly since: string
  /** The acquirer's last word, redacted. */
  readonly said: string
  /** What `cofre transactions resolve` takes beside the code; undefined where it ends none. */
  readonly option: string | undefined
  /** Before that its acquirer may still decide. */
  readonly resolvableFrom: string
}

async function listUndecided(
  context: CommandContext,
  { environment }: InEnvironment,
): Promise<Shown> {
  const nowMs = context.clock.now()
  const all = await administerVault(context.config('dev'), context.clock, undecidedOf)
  const undecided = all
    .filter((one) => one.environment === environment)
    .toSorted((one, other) => one.since.localeCompare(other.since))
  const rows = undecided.map((one) => {
    const isEarly = Date.parse(one.resolvableFrom) > nowMs
    const from = isEarly ? ` from ${one.resolvableFrom}` : ''
    const how = one.option === undefined ? GATEWAY : `${one.option}${from}`.trim()
    return [one.code, one.what, one.amount, one.account, one.since, one.said, how]
  })
  const headings = ['Code', 'What', 'Amount', 'Account', 'Since', 'The acquirer', 'Resolve with']
  const text =
    rows.length === 0
      ? `No acquirer leaves anything to a person in ${environment}.\n`
      : `${table(headings, rows)}\n\n${WHAT_TO_DO}`
  return { data: { environment, undecided }, text }
}

/** What ends a change. */
const GATEWAY = '(see the gateway)'

const WHAT_TO_DO = `Look each up at the acquirer's site, and put it right there. Then end it here, with what the last column says:
  cofre transactions resolve CODE --as done|not-done --reason "how you know"
"done" of a charge: the card was charged; of a refund: the money has gone back; of a cancel: the payment was undone.
A change is what an acquirer reported and the gateway cannot apply: its log says why. It comes again, an hour apart at most.
`

async function undecidedOf(vault: VaultAdministration): Promise<readonly Undecided[]> {
  const { charges, cancels } = await vault.undecidedCharges()
  const refunds = await vault.slowRefunds()
  const changes = await vault.heldChanges()
  return [
    ...changes.map(({ environment, transactionCode: code, sinceMs, ...held }): Undecided => ({
      environment,
      code,
      what: 'change',
      amount: '',
      account: '',
      since: timeText(sinceMs),
      said: [held.change, held.detail].filter((word) => word !== undefined).join(': '),
      option: undefined,
      resolvableFrom: timeText(sinceMs),
    })),
    ...charges.map(({ key, accountId, amountMinor, state, firstAttemptAtMs }): Undecided => ({
      environment: key.environment,
      code: key.transactionCode,
      what: 'charge',
      amount: formatAmount(amountMinor),
      account: accountId,
      since: timeText(firstAttemptAtMs),
      said: state === 'pending' ? 'decides later' : UNSAID,
      option: '',
      resolvableFrom: timeText(firstAttemptAtMs + UNDECIDED_FOR_MS),
    })),
    ...cancels.map(({ key, accountId, chargedMinor, createdAtMs, ...cancel }): Undecided => ({
      environment: key.environment,
      code: key.transactionCode,
      what: 'cancel',
      amount: formatAmount(chargedMinor),
      account: accountId,
      since: timeText(createdAtMs),
      said: saidOf(cancel),
      option: `--cancel ${cancel.paymentId ?? ''}`.trim(),
      resolvableFrom: timeText(createdAtMs),
    })),
    ...refunds.map(({ accountId, amountMinor, createdAtMs, ...refund }): Undecided => ({
      environment: refund.environment,
      code: refund.transactionCode,
      what: 'refund',
      amount: formatAmount(amountMinor),
      account: accountId,
      since: timeText(createdAtMs),
      said: saidOf(refund),
      option: `--refund ${refund.name}`,
      resolvableFrom: timeText(createdAtMs + UNDECIDED_FOR_MS),
    })),
  ]
}

const UNSAID = 'does not say'

function saidOf({
  detail,
  state,
}: {
  readonly detail: string | undefined
  readonly state: string
}) {
  return detail ?? (state === 'in_process' ? 'took it in, and has not made it' : UNSAID)
}

interface ResolveOptions extends InEnvironment {
  readonly code: string
  readonly as: keyof typeof RESOLUTIONS
  readonly reason: string
  /** A refund of the transaction, in place of its charge. */
  readonly refund?: string
  /** The cancel of a payment of it, by the acquirer's name or, `true`, by our key alone. */
  readonly cancel?: string | true
}

/** What a person has found out at the acquirer. */
const RESOLUTIONS = { done: 'done', 'not-done': 'not done' } as const

async function resolve(context: CommandContext, options: ResolveOptions): Promise<Shown> {
  const { code, as, reason, refund, cancel, environment } = options
  if (refund !== undefined && cancel !== undefined)
    throw new UsageError('--refund and --cancel are two things: one at a time')
  const resolution = { isDone: as === 'done', reason, actor: operator() }
  const key = { environment, transactionCode: code }
  const result = await administerVault(context.config('dev'), context.clock, (vault) => {
    if (refund !== undefined) return vault.resolveRefund({ environment, name: refund }, resolution)
    if (cancel === undefined) return vault.resolveCharge(key, resolution)
    const paymentId = cancel === true ? undefined : cancel
    return vault.resolveCancel({ ...key, paymentId }, resolution)
  })
  const what = whatOf(options)
  return {
    data: { code, refund: refund ?? null, cancel: cancel ?? null, environment, as, result },
    text: `${what} ${RESULTS[result](RESOLUTIONS[as])}\n`,
    isFailure: result !== 'resolved',
  }
}

function whatOf({ code, refund, cancel }: ResolveOptions): string {
  if (refund !== undefined) return `The refund ${refund} of ${code}`
  if (cancel === undefined) return `The charge of ${code}`
  return cancel === true
    ? `The cancel of ${code}`
    : `The cancel of the payment ${cancel} of ${code}`
}

const RESULTS: Readonly<Record<ResolutionResult, (as: string) => string>> = {
  resolved: (as) =>
    `is ended as ${as}: what its gateway has to know is reported to it, and the audit log has the reason.`,
  not_open: () => 'is not open: there is none here, or its end is known.',
  too_early: () =>
    'may still be decided by its acquirer: cofre transactions undecided says from when.',
}

interface ReportOptions extends InEnvironment {
  readonly since: number
}

/** For a gateway whose database was restored: it applies each change once, whatever it has. */
async function reportAgain(
  context: CommandContext,
  { since, environment }: ReportOptions,
): Promise<Shown> {
  const record = timeText(since)
  const changes = await administerVault(context.config('dev'), context.clock, async (vault) => {
    const count = await vault.announceAgain(environment, since)
    const event = operatorEvent({
      action: 'changes.reported_again',
      record,
      outcome: `changes: ${count}`,
    })
    await vault.recordEvent({ ...event, environment })
    return count
  })
  const text =
    changes === 0
      ? `No gateway of ${environment} has taken a change of a charge since ${record}: nothing is reported again.\n`
      : `Changes of charges in ${environment} that are reported again: ${changes}. A gateway's worker takes them within seconds, and changes nothing where it knows them.\n`
  return { data: { environment, since: record, changes }, text }
}
