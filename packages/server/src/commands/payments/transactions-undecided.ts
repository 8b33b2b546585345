// Undecided work: at acquirers, for a person to end, and orders with an unanswered request, for the
// gateway to end. Each is listed on the machine with its database.
import { type Environment, formatAmount } from '@cofre/contracts'
import { type Transaction } from '@cofre/gateway'
import { createOperatorView } from '@cofre/operator'
import { UNDECIDED_FOR_MS, type VaultAdministration } from '@cofre/vault'
import { DATABASES, presentEnvironments } from '../../installation/databases.js'
import { administerVault } from '../../installation/keys.js'
import { localZones } from '../account/account-zones.js'
import {
  type CommandContext,
  type InEnvironment,
  type Shown,
  table,
  timeText,
} from '../line/command.js'

export const undecidedTransactionsCommands = {
  'transactions undecided': listUndecided,
}

/** Undecided work. */
interface Undecided {
  readonly environment: Environment
  readonly code: string
  readonly what: 'charge' | 'capture' | 'void' | 'cancel' | 'refund' | 'change' | 'order'
  readonly amount: string
  readonly account: string
  readonly since: string
  /** The acquirer's last report, redacted; for an order, its store and reference. */
  readonly said: string
  /**
   * Option for `cofre transactions resolve`, beside the code; undefined if the command can't end
   * it.
   */
  readonly option: string | undefined
  /** Until then its acquirer may still decide. */
  readonly resolvableFrom: string
}

async function listUndecided(
  context: CommandContext,
  { environment }: InEnvironment,
): Promise<Shown> {
  const nowMs = context.clock.now()
  const zones = await localZones(context)
  const atAcquirers = zones.includes('vault')
    ? await administerVault(context.config('dev'), context.clock, undecidedOf)
    : []
  const orders = zones.includes('gateway') ? await undecidedOrders(context, environment) : []
  const undecided = [...atAcquirers, ...orders]
    .filter((one) => one.environment === environment)
    .toSorted((one, other) => one.since.localeCompare(other.since))
  const rows = undecided.map((one) => {
    const isEarly = Date.parse(one.resolvableFrom) > nowMs
    const from = isEarly ? ` from ${one.resolvableFrom}` : ''
    const how = ADVICE_BY_KIND[one.what] ?? `${one.option ?? ''}${from}`.trim()
    return [one.code, one.what, one.amount, one.account, one.since, one.said, how]
  })
  const headings = ['Code', 'What', 'Amount', 'Account', 'Since', 'The acquirer', 'Resolve with']
  const listed =
    rows.length === 0
      ? `${zones.includes('vault') ? NOTHING : NO_ORDER} in ${environment}.\n`
      : `${table(headings, rows)}\n\n${adviceText(undecided)}`
  const text = zones.includes('vault') ? listed : listed + AT_THE_VAULT
  return { data: { environment, undecided }, text }
}

const NOTHING = 'No acquirer’s outcome needs a person'
const NO_ORDER = 'No order waits for a decision'
const AT_THE_VAULT = `Outcomes at acquirers that need a person are listed on the vault's machine.
`

/** Advice for work that the command can't end. */
const ADVICE_BY_KIND: Readonly<Partial<Record<Undecided['what'], string>>> = {
  change: '(see the gateway)',
  order: '(its worker asks)',
}

function adviceText(undecided: readonly Undecided[]): string {
  const orders = undecided.filter(({ what }) => what === 'order')
  const isForPerson = orders.length < undecided.length
  return `${isForPerson ? ACQUIRER_ADVICE : ''}${orders.length > 0 ? ORDER_ADVICE : ''}`
}

const ACQUIRER_ADVICE = `Find each on the acquirer's site, and correct it there. Then end it here, as the last column says:
  cofre transactions resolve CODE --as done|not-done --reason "how you know"
"done" of a charge: the card was charged; of a refund: the money has gone back; of a cancel: the payment was undone.
Of a capture or a void, give --as captured or --as released instead; if neither was done, do one of them on the site first.
A change is what an acquirer reported and the gateway cannot apply: its log says why. It comes again, an hour apart at most.
`

const ORDER_ADVICE = `These are orders whose request was not answered. They are shown nowhere else until a worker finds out whether they exist.
`

/** A person reads at most a page of text. */
const LISTED_MAX = 100

async function undecidedOrders(
  context: CommandContext,
  environment: Environment,
): Promise<readonly Undecided[]> {
  const config = context.config('dev')
  if (!(await presentEnvironments(config)).includes(environment)) return []
  const orders = await DATABASES[environment].use(config, (database) =>
    createOperatorView(database).undecided(LISTED_MAX),
  )
  return orders.map((order) => undecidedOrder(environment, order))
}

function undecidedOrder(environment: Environment, order: Transaction): Undecided {
  const since = timeText(order.createdAtMs)
  return {
    environment,
    code: String(order.code),
    what: 'order',
    amount: formatAmount(order.chargedMinor),
    account: '',
    since,
    said: `${order.merchantId} ${order.reference}`,
    option: undefined,
    resolvableFrom: since,
  }
}

async function undecidedOf(vault: VaultAdministration): Promise<readonly Undecided[]> {
  const { charges, cancels } = await vault.undecidedCharges()
  const captures = await vault.slowCaptures()
  const refunds = await vault.slowRefunds()
  const changes = await vault.parkedChanges()
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
      said: state === 'pending' ? 'decides later' : NOT_REPORTED,
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
      said: stateText(cancel),
      option: `--cancel ${cancel.paymentId ?? ''}`.trim(),
      resolvableFrom: timeText(createdAtMs),
    })),
    ...captures.map((capture) =>
      slowWork(capture, { what: capture.operation, option: '--as captured|released', pauseMs: 0 }),
    ),
    ...refunds.map((refund) =>
      slowWork(refund, {
        what: 'refund',
        option: `--refund ${refund.name}`,
        pauseMs: UNDECIDED_FOR_MS,
      }),
    ),
  ]
}

type SlowWork = Awaited<ReturnType<VaultAdministration['slowRefunds' | 'slowCaptures']>>[number]

interface ResolveHint extends Pick<Undecided, 'what' | 'option'> {
  /** The time since it was requested in which its acquirer may still decide. */
  readonly pauseMs: number
}

function slowWork(
  { accountId, amountMinor, createdAtMs, ...work }: SlowWork,
  { pauseMs, ...how }: ResolveHint,
): Undecided {
  return {
    ...how,
    environment: work.environment,
    code: work.transactionCode,
    amount: formatAmount(amountMinor),
    account: accountId,
    since: timeText(createdAtMs),
    said: stateText(work),
    resolvableFrom: timeText(createdAtMs + pauseMs),
  }
}

const NOT_REPORTED = 'does not say'

function stateText({
  detail,
  state,
}: {
  readonly detail: string | undefined
  readonly state: string
}) {
  return (
    detail ?? (state === 'in_process' ? 'accepted it, and has not carried it out' : NOT_REPORTED)
  )
}
