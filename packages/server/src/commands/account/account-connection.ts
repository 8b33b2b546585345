// Requests of commands to the provider of an account.
import { randomBytes } from 'node:crypto'
import type { ProviderAccount } from '@cofre/provider-kit/account'
import type { NoticeRegistration } from '@cofre/provider-kit/bank'
import { Secret } from '@cofre/contracts'
import type { Config } from '../../config/config.js'
import { OperatorError, SetupError } from '../../config/errors.js'
import { noticePath, publicNoticesUrl } from '../../installation/notice-path.js'
import type { Contract } from './account-entry.js'
import type { ProviderConnection } from '../line/account-providers.js'
import { type CommandContext, UsageError } from '../line/command.js'

/** A contract with its account. */
export interface AccountContract extends Contract {
  readonly account: ProviderAccount
}

/** Runs work with a connection to the account's provider. */
export async function withProvider<T>(
  { clock }: CommandContext,
  { account, connect }: AccountContract,
  work: (connection: ProviderConnection) => Promise<T>,
): Promise<T> {
  const connection = connect(account, clock)
  try {
    return await work(connection)
  } finally {
    await connection.close()
  }
}

/** Tests the credentials. @throws OperatorError with the reason of a refusal and its fix */
export async function signIn({ steps: [first] }: ProviderConnection): Promise<void> {
  if (first === undefined) return
  const { isDone, detail } = await first.run()
  if (!isDone) throw new OperatorError(`nothing was stored, because the check failed: ${detail}`)
}

/** Draws the secret of a notice address, which only the provider learns. */
export function drawNoticeSecret(): Secret<string> {
  return new Secret(randomBytes(16).toString('base64url'))
}

/** Options for the registration of an account's notice address at its bank. */
export interface NoticeOptions {
  readonly register?: true
  readonly replace?: true
  readonly bankCertificate: 'checked' | 'unchecked'
}

/** @throws UsageError, and a SetupError before any request or change */
export function checkNoticeOptions(
  config: Config,
  { register, replace }: NoticeOptions,
  { isByFile, zone, profile: { company } }: Contract,
): void {
  if (replace === true && register !== true) throw new UsageError('--replace needs --register')
  if (register === true && isByFile)
    throw new UsageError(`${company} works by files and makes no calls: omit --register`)
  if (register === true && zone === 'vault')
    throw new UsageError(
      `the address for notices is entered on the site of ${company}: omit --register`,
    )
  if (register === true && publicNoticesUrl(config) === undefined)
    throw new SetupError(
      'There is no address to register',
      'set COFRE_PUBLIC_NOTICES_URL to the https origin at which banks reach the role notices',
    )
}

/** Registers an address at a bank; undefined if not requested. */
type Registering = ((url: string) => Promise<NoticeRegistration>) | undefined

export function registerNotices(
  { register }: ProviderConnection,
  { register: isWanted, replace, bankCertificate }: NoticeOptions,
): Registering {
  if (isWanted !== true || register === undefined) return undefined
  const others = replace === true ? 'replace' : 'keep'
  return (url) => register({ url, others, bankCertificate })
}

/** Result of the registration of an account's notice address. */
export interface NoticeReport {
  readonly address: string | null
  /** Null if not requested: it may be registered already. */
  readonly isRegistered: boolean | null
  readonly text: string
}

/** Registers an account's notice address if requested, and explains the next step. */
export async function reportNotices(
  config: Config,
  { account, isByFile, zone, profile: { company } }: AccountContract,
  register: Registering,
): Promise<NoticeReport> {
  if (isByFile) return { address: null, isRegistered: null, text: filesText(account.id, company) }
  const origin = publicNoticesUrl(config)
  const isBank = zone === 'gateway'
  const whose = isBank ? "The bank's notices" : `The notices of ${company}`
  if (origin === undefined) {
    const loss = isBank ? FOUND_BY_POLLING : ONLY_BY_NOTICE
    const text = `There is no address for ${whose.replace('The', 'the')}. ${loss} To have one, set COFRE_PUBLIC_NOTICES_URL and run the role notices; then see cofre account notices.\n`
    return { address: null, isRegistered: null, text }
  }
  const address = `${origin}${noticePath(account)}`
  const shown = `${whose} arrive at this address. It is a secret: anyone who knows it can send notices.\n\n  ${address}\n\n`
  if (!isBank) {
    const text = `${shown}Enter it on the site of ${company}. ${ONLY_BY_NOTICE}\n`
    return { address, isRegistered: null, text }
  }
  const option = account.kind === 'test' ? ' --sandbox' : ''
  const again = `cofre account notices ${account.id}${option} --register`
  if (register === undefined) {
    const text = `${shown}Register it at the bank for the PIX key, or have it done: ${again}.\n`
    return { address, isRegistered: null, text }
  }
  const result = await register(address)
  const text = shown + registrationText(result, origin, again)
  return { address, isRegistered: result.kind === 'done', text }
}

function filesText(id: string, company: string): string {
  return `${company} works by files. Write them with cofre boleto remit --account ${id}, and import its answers with cofre boleto import.\n`
}

const FOUND_BY_POLLING = 'Payments are found by polling the bank, within a minute.'
const ONLY_BY_NOTICE = 'Chargebacks and results of refunds are reported there.'

function registrationText(result: NoticeRegistration, own: string, again: string): string {
  switch (result.kind) {
    case 'done':
      return 'It is registered at the bank.\n'
    case 'failed':
      return `It is NOT registered: ${result.detail}. ${FOUND_BY_POLLING} Try again: ${again}.\n`
    case 'occupied': {
      const whose =
        result.origin === own
          ? 'another address of this Cofre, of another account or an earlier one of this account,'
          : `the address of another system, at ${result.origin},`
      return `It is NOT registered: ${whose} stands there for the PIX key. ${FOUND_BY_POLLING} To put this one in its place: ${again} --replace.\n`
    }
  }
}
