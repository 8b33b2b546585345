import type {
  AccountDescription,
  AccountMethod,
  AccountStore,
  AccountTestStep,
} from '@cofre/provider-kit/account'
import { reasonOf } from '@cofre/work'
import type { Contract } from './account-entry.js'
import { withProvider } from './account-connection.js'
import { withAccount } from './account-zones.js'
import { type CommandContext, type Shown, UsageError, isYes } from '../line/command.js'
import { type AccountOptions, contractOf, knownAccount } from './known-account.js'

interface TestOptions extends AccountOptions {
  readonly yes?: true
}

/** Result of a step. */
interface RanStep {
  readonly step: string
  readonly done: boolean
  readonly said: string
}

/** Tests an account at its provider, step by step. */
export async function testAccount(context: CommandContext, options: TestOptions): Promise<Shown> {
  const { id, environment } = options
  return await withAccount(context, options, async (accounts, described) => {
    if (options.yes !== true && context.terminal === undefined)
      throw new UsageError('there is no terminal to ask before each step: --yes runs them all')
    const contract = await contractOf(context, described)
    const account = await knownAccount(accounts, options)
    const made = { ...contract, account }
    const served = await methodsOf(accounts, described)
    const { taken, isStopped } = await withProvider(context, made, ({ steps }) => {
      const wanted = steps.filter(({ method }) => method === undefined || served.has(method))
      return runSteps(context, wanted, options)
    })
    const failed = taken.find(({ done }) => !done)
    const failure = failed && `${failed.step}: ${failed.said}`
    if (!isStopped || failure !== undefined)
      await accounts.recordTest(id, { atMs: context.clock.now(), failure })
    return {
      data: { id, environment, steps: taken, stopped: isStopped, failure: failure ?? null },
      text:
        verdictOf(id, isStopped, failure) +
        (failure === undefined && !isStopped ? nextOf(contract) : ''),
      isFailure: isStopped || failure !== undefined,
    }
  })
}

/** Methods for which the store orders an account. */
async function methodsOf(
  accounts: AccountStore,
  { id, merchantId }: AccountDescription,
): Promise<ReadonlySet<AccountMethod>> {
  const orders = await accounts.orders(merchantId)
  return new Set(orders.filter(({ ids }) => ids.includes(id)).map(({ method }) => method))
}

function verdictOf(id: string, isStopped: boolean, failure: string | undefined): string {
  if (failure !== undefined) return `The account ${id} has failed its test. ${failure}\n`
  return isStopped
    ? `The test of the account ${id} was stopped and is not recorded.\n`
    : `The account ${id} has passed its test.\n`
}

/** No step charges a card: card numbers are entered only on payment pages. */
function nextOf({ zone, profile: { company } }: Contract): string {
  return zone === 'gateway'
    ? ''
    : `Nothing was charged. Make a small payment with a card of yours, and refund it, before shoppers pay at ${company}.\n`
}

/** Stops at the first step that fails or is declined, and cleans up. */
async function runSteps(
  context: CommandContext,
  steps: readonly AccountTestStep[],
  { yes }: TestOptions,
): Promise<{ readonly taken: readonly RanStep[]; readonly isStopped: boolean }> {
  const taken: RanStep[] = []
  let isStopped = false
  for (const [i, step] of steps.entries()) {
    const hasEnded = isStopped || taken.some(({ done }) => !done)
    const { isCleanup = false } = step
    if (hasEnded && !isCleanup) continue
    context.warn(`${i + 1}. ${step.text}\n`)
    if (yes !== true && !isCleanup && !(await isWanted(context))) {
      isStopped = true
      continue
    }
    const { isDone, detail } = await step.run().catch(failed)
    context.warn(`   ${isDone ? 'Done' : 'FAILED'}: ${detail}\n`)
    taken.push({ step: step.text, done: isDone, said: detail })
  }
  return { taken, isStopped }
}

/** A person who closes the prompt declines the rest. */
async function isWanted({ terminal }: CommandContext): Promise<boolean> {
  const answer = await terminal?.prompt('   Go on? [y/N] ').catch(() => 'n')
  return isYes(answer ?? '')
}

/** The clean-up still follows. */
function failed(error: unknown) {
  return { isDone: false, detail: `It failed: ${reasonOf(error)}.` }
}
