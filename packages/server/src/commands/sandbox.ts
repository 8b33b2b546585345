import type { TransactionStatus } from '@cofre/contracts'
import type { CommandContext, Shown } from './command.js'
import { type SandboxAddress, askSandbox } from './sandbox-client.js'

/** `cofre sandbox`: plays the bank from a shop's own tests, here or against a sandbox elsewhere. */
export const sandboxCommands = {
  'sandbox pay': reporting('COMPLETE'),
  'sandbox cancel': reporting('CANCELLED'),
  'sandbox expire': reporting('EXPIRED'),
  'sandbox chargeback': reporting('CHARGEBACK'),
  'sandbox status': status,
  'sandbox refund': refund,
  'sandbox advance': clock,
  'sandbox clock': clock,
}

interface TransactionInput extends SandboxAddress {
  readonly transactionCode: string
}

/** Reports a status of a transaction, as the bank would. */
function reporting(reported: TransactionStatus) {
  return async ({ config }: CommandContext, input: TransactionInput): Promise<Shown> => {
    const data = await askSandbox(config('dev'), input, (sandbox) =>
      sandbox.setStatus(input.transactionCode, reported),
    )
    return { data, text: `Transaction ${data['transaction-code']} is ${data.status}.\n` }
  }
}

async function status(
  context: CommandContext,
  input: TransactionInput & { readonly status?: TransactionStatus },
): Promise<Shown> {
  const { transactionCode: code } = input
  if (input.status !== undefined) return await reporting(input.status)(context, input)
  const found = await askSandbox(context.config('dev'), input, (sandbox) => sandbox.statusOf(code))
  return { data: { 'transaction-code': code, status: found }, text: `${found}\n` }
}

async function refund(
  { config }: CommandContext,
  input: SandboxAddress & { readonly refundId: string; readonly outcome: 'processed' | 'rejected' },
): Promise<Shown> {
  const outcome = input.outcome === 'processed' ? 'PROCESSED' : 'REJECTED'
  const data = await askSandbox(config('dev'), input, (sandbox) =>
    sandbox.finishRefund(input.refundId, outcome),
  )
  const text = `Refund ${data['refund-id']} of transaction ${data['transaction-code']} is ${data.status}.\n`
  return { data, text }
}

/** Shows the sandbox's clock; with a time, lets it pass first. */
async function clock(
  { config }: CommandContext,
  input: SandboxAddress & { readonly time?: number },
): Promise<Shown> {
  const { time: seconds } = input
  const data = await askSandbox(config('dev'), input, (sandbox) =>
    seconds === undefined ? sandbox.clock() : sandbox.advanceClock(seconds),
  )
  return { data, text: `${data.now} (${data['ahead-seconds']} s ahead of the machine)\n` }
}
