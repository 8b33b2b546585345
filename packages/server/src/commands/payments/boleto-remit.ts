import { randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import type { BankProvider, BoletoFileBank } from '@cofre/provider-kit/bank'
import { loadBanks } from '@cofre/providers'
import { type RemittanceFile, type Remittances, createRemittances } from '@cofre/boleto-files'
import { SetupError } from '../../config/errors.js'
import { DATABASES } from '../../installation/databases.js'
import { openGatewayKeys } from '../../installation/keys.js'
import { openStores } from '@cofre/gateway/upkeep'
import {
  type CommandContext,
  type InEnvironment,
  type Shown,
  gatewayConfig,
} from '../line/command.js'
import { environmentNowMs } from '../line/environment-time.js'
import { knownAccount } from '../account/known-account.js'

/** Remittance files, for banks that receive boletos by files. */
export const remittanceCommands = { 'boleto remit': remit, 'boleto skip': skip }

interface OfAccount extends InEnvironment {
  readonly account: string
}

interface RemitOptions extends OfAccount {
  readonly out: string
  readonly again?: number
}

/**
 * Commits the file, then writes it, then records that it is written. If the command ends in
 * between, the next one writes the same file.
 */
async function remit(context: CommandContext, options: RemitOptions): Promise<Shown> {
  const { account, again, environment, out } = options
  if (existsSync(out)) throw new SetupError(`The file ${out} already exists`, 'name another')
  return await withRemittances(context, options, async (remittances) => {
    const file = again === undefined ? await remittances.create() : await remittances.again(again)
    const late = await remittances.countLate()
    const unanswered = await remittances.countUnanswered()
    if (file === 'changed') throw changed(account)
    if (file === undefined && again !== undefined)
      throw new SetupError(`The account ${account} has no file ${again}`, 'none has been made yet')
    if (file !== undefined) {
      await writeSafely(out, file.text)
      await remittances.saved(file.sequence)
    }
    const written = file === undefined ? null : dataOf(file, out)
    const data = { account, environment, file: written, late, unanswered }
    const text = remittanceText(account, file, out) + lateText(late) + unansweredText(unanswered)
    return { data, text }
  })
}

function changed(account: string): SetupError {
  return new SetupError(
    `That file of the account ${account} cannot be written again as it was`,
    'a payer has been erased since, or another version of Cofre wrote it: use your copy of the file',
  )
}

interface SkipOptions extends OfAccount {
  readonly numbers?: number
  readonly files?: number
}

async function skip(context: CommandContext, options: SkipOptions): Promise<Shown> {
  const { account, environment, files = 0, numbers = 0 } = options
  return await withRemittances(context, options, async (remittances) => {
    await remittances.skip({ numbers, files })
    return {
      data: { account, environment, numbers, files },
      text: `The account ${account} skips its next ${numbers} boleto numbers and ${files} file numbers.\n`,
    }
  })
}

/** Runs work on the files of an account. @throws SetupError if its bank receives none */
async function withRemittances(
  context: CommandContext,
  { account: id, environment }: OfAccount,
  work: (remittances: Remittances) => Promise<Shown>,
): Promise<Shown> {
  const config = await gatewayConfig(context)
  const keys = await openGatewayKeys(config)
  const nowMs = await environmentNowMs(context, config, { environment })
  return await DATABASES[environment].use(config, async (database) => {
    const { accounts } = openStores({ environment, database, keys, clock: context.clock })
    const account = await knownAccount(accounts, { id, environment })
    const provider = (await banksOf(context)).find(({ name }) => name === account.provider)
    const tools = { clock: context.clock, log: SILENT, randomBelow: randomInt }
    const connection = provider?.connect(account, tools)
    const bank: BoletoFileBank | undefined = connection?.boletoFiles
    if (bank === undefined)
      throw new SetupError(`The bank of the account ${id} does not work by files`, 'it is asked')
    try {
      const clocks = { clock: { now: () => nowMs }, machineClock: context.clock }
      return await work(createRemittances({ database, accountId: id, bank, ...clocks }))
    } finally {
      await connection?.close()
    }
  })
}

/** Remittances make no calls. */
const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined }

async function banksOf({ providers }: CommandContext): Promise<readonly BankProvider[]> {
  return providers === undefined ? await loadBanks() : (await providers()).banks
}

/** Writes the whole file or none under its name. It names payers, so only its owner may read it. */
async function writeSafely(out: string, text: string): Promise<void> {
  const part = `${out}.part`
  const handle = await open(part, 'w', 0o600)
  try {
    await handle.writeFile(text, 'latin1')
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(part, out)
}

function dataOf(
  { instructions, isOnDisk, sequence, sha256, writtenOn }: RemittanceFile,
  out: string,
) {
  const count = (wanted: 'register' | 'cancel'): number =>
    instructions.filter(({ kind }) => kind === wanted).length
  return {
    sequence,
    path: out,
    writtenOn,
    sha256,
    registers: count('register'),
    cancels: count('cancel'),
    wasWrittenBefore: isOnDisk,
  }
}

function remittanceText(account: string, file: RemittanceFile | undefined, out: string): string {
  if (file === undefined)
    return `Nothing waits for the bank of the account ${account}: no file was written.\n`
  const { registers, cancels, sequence, wasWrittenBefore } = dataOf(file, out)
  const same = wasWrittenBefore
    ? `It is the same as before: send only one of them.\n`
    : `Send it to the bank, then import the return file of the next day.\n`
  return `File ${sequence} of the account ${account} is in ${out}: ${registers} boletos to register, ${cancels} to cancel.\n${same}`
}

function lateText(late: number): string {
  return late === 0
    ? ''
    : `${late} boletos were due before they were put into a file, and are left out: no bank registers them. Send files every day.\n`
}

function unansweredText(unanswered: number): string {
  return unanswered === 0
    ? ''
    : `${unanswered} boletos were due more than two weeks ago, and no return file reports on them: import the missing files.\n`
}
