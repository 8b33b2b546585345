import { readFileSync } from 'node:fs'
import type { TransactionStatus } from '@cofre/contracts'
import {
  MerchantApiError,
  type MerchantClient,
  type MerchantClientOptions,
  MerchantConnectionError,
  type SandboxClient,
  type SandboxPreviewBody,
  type SandboxTimeBody,
  createMerchantClient,
  createSandboxClient,
} from '@cofre/merchant'
import type { Config } from '../../config/config.js'
import { OperatorError, SetupError } from '../../config/errors.js'
import { knownStore } from '../../installation/test-store.js'
import { type CommandContext, type Shown, isYes } from '../line/command.js'
import { plainText } from '../../observability/terminal-lines.js'

/** `cofre sandbox`: simulates the bank for a shop's own tests, on this machine or on another. */
export const sandboxCommands = {
  'sandbox pay': reporting('COMPLETE'),
  'sandbox cancel': reporting('CANCELLED'),
  'sandbox expire': reporting('EXPIRED'),
  'sandbox chargeback': reporting('CHARGEBACK'),
  'sandbox status': status,
  'sandbox refund': refund,
  'sandbox advance': advance,
  'sandbox clock': clock,
}

/** The sandbox's address and the signing store, if the command line names them. */
export interface SandboxAddress {
  readonly url?: string
  readonly store?: string
  readonly secretFile?: string
}

interface TransactionInput extends SandboxAddress {
  readonly transactionCode: string
}

/** Reports a status of a transaction, in place of the bank. */
function reporting(reported: TransactionStatus) {
  return async (context: CommandContext, input: TransactionInput): Promise<Shown> => {
    const data = await callSandbox(context, input, (sandbox) =>
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
  const { status: found } = await callSandbox(context, input, (_, merchant) =>
    merchant.findTransaction(code),
  )
  return { data: { 'transaction-code': code, status: found }, text: `${found}\n` }
}

async function refund(
  context: CommandContext,
  input: SandboxAddress & { readonly refundId: string; readonly outcome: 'processed' | 'rejected' },
): Promise<Shown> {
  const outcome = input.outcome === 'processed' ? 'PROCESSED' : 'REJECTED'
  const data = await callSandbox(context, input, (sandbox) =>
    sandbox.finishRefund(input.refundId, outcome),
  )
  const text = `Refund ${data['refund-id']} of transaction ${data['transaction-code']} is ${data.status}.\n`
  return { data, text }
}

async function clock(context: CommandContext, input: SandboxAddress): Promise<Shown> {
  return shownTime(await callSandbox(context, input, (sandbox) => sandbox.clock()))
}

interface AdvanceInput extends SandboxAddress {
  readonly time: number
  readonly yes?: true
}

/**
 * Advances the sandbox's clock. A person at a terminal first sees the effects on the store and
 * confirms; a script proceeds without a question.
 */
async function advance(context: CommandContext, input: AdvanceInput): Promise<Shown> {
  const { terminal } = context
  const { time: seconds, yes } = input
  if (terminal !== undefined && yes !== true) {
    const preview = await callSandbox(context, input, (sandbox) => sandbox.previewClock(seconds))
    context.warn(previewText(preview))
    const answer = await terminal.prompt('Advance the clock? [y/N] ')
    if (!isYes(answer))
      return { ...shownTime(preview), text: 'The clock was not changed.\n', isFailure: true }
  }
  return shownTime(await callSandbox(context, input, (sandbox) => sandbox.advanceClock(seconds)))
}

function shownTime({ now, 'ahead-seconds': ahead }: SandboxTimeBody): Shown {
  const data = { now, 'ahead-seconds': ahead }
  return { data, text: `${now} (${ahead} s ahead of the machine)\n` }
}

function previewText({ now, then, due }: SandboxPreviewBody): string {
  return [
    `The sandbox's clock will advance from ${now} to ${then}.`,
    'All stores of this sandbox share it, and it never goes back. In your store, meanwhile',
    `  ${due.expiries} unpaid payments expire,`,
    `  ${due.notifications} notifications are sent,`,
    `  ${due.reports} reports of the bank are made.`,
    '',
  ].join('\n')
}

/** The sandbox did not carry out a request. The message has the reason and the fix. */
class SandboxError extends OperatorError {}

/** Sends a request to the sandbox in a store's name. @throws SandboxError, SetupError */
export async function callSandbox<Answer>(
  context: CommandContext,
  address: SandboxAddress,
  ask: (sandbox: SandboxClient, merchant: MerchantClient) => Promise<Answer>,
): Promise<Answer> {
  const options = sandboxOptions(context, address)
  try {
    return await ask(createSandboxClient(options), createMerchantClient(options))
  } catch (error) {
    throw sandboxError(error, options)
  }
}

/** Address of the sandbox, and the signing store. @throws SandboxError, SetupError */
export function sandboxOptions(
  { config: read }: CommandContext,
  address: SandboxAddress,
): MerchantClientOptions {
  const config = read('dev')
  // A person who names a store means another than the examples', whose secret would not fit.
  const example =
    address.store === undefined && address.secretFile === undefined
      ? config.exampleStore
      : undefined
  return {
    baseUrl: address.url ?? exampleUrl(config) ?? config.endpoints.sandbox.publicUrl,
    ...(example === undefined
      ? credentials(config, address)
      : { storeId: example.id, secret: example.secret.reveal() }),
    vendor: config.mediaVendor,
    // The language of the command.
    language: 'en',
    // A person waits, and may have mistyped the address.
    retryBudgetMs: 0,
  }
}

/** @throws SandboxError for an unusable address, instead of using another sandbox */
function exampleUrl({ exampleUrl: url }: Config): string | undefined {
  if (url === null)
    throw new SandboxError(
      'COFRE_API is not an origin like http://127.0.0.1:8081, without a path: correct it, or give another with --url',
    )
  return url
}

/** Explains a failed request to the sandbox. @throws errors that the sandbox did not cause */
export function sandboxError(error: unknown, options: MerchantClientOptions): OperatorError {
  return new SandboxError(sentenceOf(error, options), { cause: error })
}

function credentials(
  config: Config,
  address: SandboxAddress,
): Pick<MerchantClientOptions, 'storeId' | 'secret'> {
  const known = knownStore(config)
  const storeId = address.store ?? known.id
  const secret =
    address.secretFile === undefined ? known.secret?.reveal() : readSecret(address.secretFile)
  if (storeId === undefined || secret === undefined)
    throw new SandboxError(
      `there is no test store in ${config.dataDir}: start cofre dev there first, or give a store with --store and --secret-file, or with COFRE_API, COFRE_STORE_ID and COFRE_SECRET`,
    )
  return { storeId, secret }
}

function readSecret(file: string): string {
  try {
    const secret = readFileSync(file, 'utf8').trim()
    if (secret !== '') return secret
    throw new Error('it is empty')
  } catch (cause) {
    throw new SetupError(`${file} does not contain the store's secret key`, cause)
  }
}

interface Refused extends MerchantClientOptions {
  readonly description: string
}

/** Explanations of the errors that these requests can meet. */
const REFUSALS: Readonly<Record<number, (refused: Refused) => string>> = {
  10003: ({ baseUrl, storeId }) =>
    `the sandbox at ${baseUrl} refuses the signature of ${storeId} (10003): check the store, its secret key and the address`,
  20610: ({ baseUrl, storeId }) =>
    `${storeId} has no such refund in the sandbox at ${baseUrl} (20610)`,
  20614: ({ baseUrl, storeId }) =>
    `${storeId} has no such transaction in the sandbox at ${baseUrl} (20614)`,
  90001: ({ baseUrl }) => `the server at ${baseUrl} is not a sandbox (90001): check the address`,
  90202: ({ description }) =>
    `the status may not change this way (90202): ${description.replace(/^\w+: /, '')}`,
}

function sentenceOf(error: unknown, options: MerchantClientOptions): string {
  const { baseUrl } = options
  if (error instanceof MerchantConnectionError)
    return error.reason === 'broken-answer'
      ? `the server at ${baseUrl} is not a sandbox: check the address`
      : `no sandbox answers at ${baseUrl}: start it with cofre dev, or give another with --url`
  if (!(error instanceof MerchantApiError)) throw error
  const [first] = error.errors
  if (first === undefined)
    return `the server at ${baseUrl} is not a sandbox (status ${error.status}): check the address`
  const { code, description, message = '' } = first
  return (
    REFUSALS[code]?.({ ...options, description }) ??
    plainText(`the sandbox at ${baseUrl} refused (${code} ${description}): ${message}`)
  )
}
