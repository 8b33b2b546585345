import { randomInt } from 'node:crypto'
import path from 'node:path'
import { type MinorUnits, formatAmount, minorUnits } from '@cofre/contracts'
import { type MatchedLine, type ImportedLine, createReturnFiles } from '@cofre/boleto-files'
import { createChargeRecords } from '@cofre/banks'
import { createMoneyOfFiles } from '@cofre/settlements'
import { type ReturnLineKind } from '@cofre/provider-kit/bank'
import { SetupError } from '../../config/errors.js'
import { DATABASES } from '../../installation/databases.js'
import { openGatewayKeys } from '../../installation/keys.js'
import { openStores } from '@cofre/gateway/upkeep'
import {
  type ImportEnd,
  importReturnFile,
  readGiven,
} from '../../process/providers/return-import.js'
import { loadSettlementFormats } from '../../process/providers/settlement-formats.js'
import { type CommandContext, type Shown, gatewayConfig, operator, table } from '../line/command.js'

/** `cofre boleto`: files on boletos between banks and stores. */
export const boletoCommands = { 'boleto import': importFile }

interface ImportOptions {
  readonly file: string
  readonly account?: string
  readonly dryRun?: true
}

async function importFile(
  context: CommandContext,
  { file, account, dryRun }: ImportOptions,
): Promise<Shown> {
  const content = await readNamed(file)
  const config = await gatewayConfig(context)
  const keys = await openGatewayKeys(config)
  const { clock, providers } = context
  const end = await DATABASES.production.use(config, async (database) => {
    const { accounts } = openStores({ environment: 'production', database, keys, clock })
    const log = warnings(context)
    const tools = { database, clock, machineClock: clock, randomBelow: randomInt }
    const money = createMoneyOfFiles({ ...tools, formats: await loadSettlementFormats() })
    const charges = createChargeRecords({ ...tools, log })
    return await importReturnFile(
      {
        returnFiles: createReturnFiles({ ...tools, log, money, charges }),
        accounts,
        banks: providers && (async () => (await providers()).banks),
      },
      {
        name: path.basename(file),
        content,
        actor: operator(),
        accountId: account,
        isTrial: dryRun ?? false,
      },
    )
  })
  return shownEnd(path.basename(file), end)
}

async function readNamed(file: string): Promise<Uint8Array> {
  try {
    return await readGiven(file)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new SetupError(`The file ${file} cannot be read`, reason)
  }
}

/** Shows warnings of the import at the command line. */
function warnings(context: CommandContext) {
  const say = (facts: object, message: string): void => {
    context.warn(`cofre: ${message}: ${JSON.stringify(facts)}\n`)
  }
  return { info: () => undefined, warn: say, error: say }
}

function shownEnd(name: string, end: ImportEnd): Shown {
  if (end.kind === 'refused') {
    const { why, place = {} } = end
    return {
      data: { file: name, refused: why, ...place },
      text: `${name} is refused, and nothing of it is stored. ${why}.\n`,
      isFailure: true,
    }
  }
  const { account, file } = end
  const unrecorded = end.kind === 'taken' ? end.taken.unrecorded : []
  const lines = end.kind === 'taken' ? end.taken.lines : end.lines
  const shown = lines.map((taken) => ({
    line: taken.line.line,
    kind: taken.line.kind,
    code: taken.line.code,
    reasons: taken.line.reasons,
    ourNumber: taken.line.ourNumber ?? null,
    name: taken.line.ourNames[0] ?? null,
    occurredOn: taken.line.occurredOn ?? null,
    creditedOn: taken.line.creditedOn ?? null,
    title: amountOf(taken.line.titleMinor),
    paid: amountOf(taken.line.paidMinor),
    fee: amountOf(taken.line.feeMinor),
    order: taken.transactionCode === undefined ? null : String(taken.transactionCode),
    new: isNewOrNull(taken),
  }))
  const data = {
    file: name,
    bank: file.bank,
    layout: file.layout,
    ...file.header,
    account: account.id,
    store: account.merchantId,
    isTrial: end.kind === 'tried',
    lines: shown,
    held: file.heldTotals,
    unrecorded: unrecorded.map(String),
  }
  return { data, text: importText(end, shown), isFailure: unrecorded.length > 0 }
}

function isNewOrNull(line: MatchedLine | ImportedLine): boolean | null {
  return 'isNew' in line ? line.isNew : null
}

function amountOf(minor: number): string {
  return formatAmount(minorUnits(minor) satisfies MinorUnits)
}

interface ShownLine {
  readonly line: number
  readonly kind: ReturnLineKind
  readonly code: string
  readonly reasons: readonly string[]
  readonly ourNumber: string | null
  readonly name: string | null
  readonly occurredOn: string | null
  readonly paid: string
  readonly fee: string
  readonly order: string | null
  /** Null in a dry run. */
  readonly new: boolean | null
}

const KINDS: Readonly<Record<ReturnLineKind, string>> = {
  registered: 'registered',
  rejected: 'rejected',
  paid: 'paid',
  'written-off': 'written off',
  fee: 'fee',
  protest: 'protest',
  changed: 'changed',
  'order-refused': 'order refused',
  reversed: 'payment reversed',
  other: 'other',
}

function importText(
  end: Exclude<ImportEnd, { readonly kind: 'refused' }>,
  shown: readonly ShownLine[],
): string {
  const { account, file } = end
  const headings = ['Line', 'Is', 'Code', 'Why', 'Boleto', 'Name', 'On', 'Paid', 'Fee', 'Order']
  const rows = shown.map((line) => [
    line.line,
    KINDS[line.kind],
    line.code,
    line.reasons.join(' '),
    line.ourNumber,
    line.name,
    line.occurredOn,
    line.paid,
    line.fee,
    line.order ?? 'nobody here',
  ])
  const { fileNumber = '?', writtenOn = '?' } = file.header
  const first = `CNAB ${file.layout} of bank ${file.bank}, file ${fileNumber} of ${writtenOn}, for the account ${account.id} (${account.label}).\n`
  return `${first}${rows.length === 0 ? 'It has no lines.' : table(headings, rows)}\n${closingText(end, shown)}\n`
}

function closingText(
  end: Exclude<ImportEnd, { readonly kind: 'refused' }>,
  shown: readonly ShownLine[],
): string {
  const unmatched = shown.filter(({ order }) => order === null).length
  const strangers =
    unmatched === 0 ? '' : ` ${unmatched} of ${shown.length} lines match no payment here.`
  if (end.kind === 'tried') return `Nothing was changed: this was a trial.${strangers}`
  const { unrecorded } = end.taken
  if (unrecorded.length > 0)
    return `Stored, but parts of ${unrecorded.join(', ')} could not be recorded: import it again.${strangers}`
  const news = shown.filter((line) => line.new === true).length
  if (news === 0 && shown.length > 0) return `It was imported before: no line is new.${strangers}`
  return `Imported: ${news} of ${shown.length} lines are new.${strangers}`
}
