// Imports a bank's return file, for the command and for the folder.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import type { AccountDescription, AccountStore } from '@cofre/provider-kit/account'
import type { BankProvider, ReturnFile } from '@cofre/provider-kit/bank'
import { loadBanks, loadReturnFiles } from '@cofre/providers'
import { SettlementFileError, type SettlementPlace, type SettlementProblem } from '@cofre/contracts'
import type { MatchedLine, ReturnFiles, ReturnFileImport } from '@cofre/boleto-files'

/** Tools of an import. */
export interface ReturnImporter {
  readonly returnFiles: ReturnFiles
  readonly accounts: Pick<AccountStore, 'list'>
  /** Default: Cofre's own. */
  readonly banks?: (() => Promise<readonly BankProvider[]>) | undefined
}

export interface ImportedFile {
  /** Its name at its origin. */
  readonly name: string
  readonly content: Uint8Array
  readonly actor: string
  /** The file's account; default: the account in its header. */
  readonly accountId?: string | undefined
  /** True for a dry run. */
  readonly isTrial?: boolean
}

export type ImportEnd =
  | {
      readonly kind: 'taken'
      readonly file: ReturnFile
      readonly account: AccountDescription
      readonly taken: ReturnFileImport
    }
  | {
      readonly kind: 'tried'
      readonly file: ReturnFile
      readonly account: AccountDescription
      readonly lines: readonly MatchedLine[]
    }
  /** One sentence with the cause, the place and the fix. */
  | { readonly kind: 'refused'; readonly why: string; readonly place?: SettlementPlace }

/** Imports a whole file, or nothing. May be repeated: a repeated import changes nothing. */
export async function importReturnFile(
  { returnFiles, accounts, banks = loadBanks }: ReturnImporter,
  { name, content, actor, accountId, isTrial = false }: ImportedFile,
): Promise<ImportEnd> {
  const file = await readWhole(content)
  if ('why' in file) return { kind: 'refused', ...file }
  const found = accountOf(file, await accounts.list(), accountId)
  if (typeof found === 'string') return { kind: 'refused', why: found }
  const account = found
  if (isTrial) {
    const lines = await returnFiles.match({ accountId: account.id, file })
    return { kind: 'tried', file, account, lines }
  }
  const provider = (await banks()).find((bank) => bank.name === account.provider)
  const { RETURN_FORMAT } = await loadReturnFiles()
  const taken = await refusable(() =>
    returnFiles.importFile({
      storeId: account.merchantId,
      accountId: account.id,
      isBankByFile: provider?.answersByFile ?? false,
      format: RETURN_FORMAT.name,
      name,
      actor,
      file,
      sha256: createHash('sha256').update(content).digest('hex'),
      bytes: content.length,
    }),
  )
  if ('why' in taken) return { kind: 'refused', ...taken }
  return { kind: 'taken', file, account, taken }
}

/** The content of a file; of one over the size limit, just enough to be refused. */
export async function readGiven(file: string): Promise<Uint8Array> {
  const { RETURN_FILE_BYTES_MAX } = await loadReturnFiles()
  return await buffer(createReadStream(file, { end: RETURN_FILE_BYTES_MAX }))
}

async function readWhole(content: Uint8Array): Promise<ReturnFile | Refused> {
  const readReturnFile = await (await loadReturnFiles()).loadReturnReader()
  return await refusable(() => readReturnFile(content))
}

interface Refused {
  readonly why: string
  readonly place: SettlementPlace
}

/** Result of the work, or the refusal of an invalid file. */
async function refusable<T>(work: () => T | Promise<T>): Promise<T | Refused> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof SettlementFileError)) throw error
    return { why: refusalText(error), place: error.place }
  }
}

/** Explanation of a refused file for people. */
export function refusalText({
  problem,
  place: { line, column, expected, found },
}: Pick<SettlementFileError, 'problem' | 'place'>): string {
  const where = [
    line !== undefined && `line ${line}`,
    column !== undefined && `column ${column}`,
  ].filter((part) => part !== false)
  const what = [
    expected !== undefined && `expected ${JSON.stringify(expected)}`,
    found !== undefined && `found ${JSON.stringify(found)}`,
  ].filter((part) => part !== false)
  const at = where.length === 0 ? '' : ` (${[...where, ...what].join(', ')})`
  return `${PROBLEM_TEXTS[problem] ?? problem}${at}`
}

const NOT_A_RETURN = 'It is not a return file of CNAB 240 or 400'
const PROBLEM_TEXTS: Readonly<Partial<Record<SettlementProblem, string>>> = {
  'not-text':
    'It is empty, or no text (saved in UTF-16, or with a NUL in it): ask the bank for it anew',
  'wrong-report': NOT_A_RETURN,
  'too-large': 'It is larger than any return file',
  incomplete: 'It ends before its trailer: get it from the bank anew',
  'bad-value': 'A day or an amount there is none',
  'digits-expected': 'Digits are expected there',
  'wrong-length': `A record is longer or shorter than its layout's, or ${NOT_A_RETURN.toLowerCase()}`,
  'wrong-record': 'Another kind of record has to stand there',
  'wrong-sequence': 'Records are missing, or are there twice',
  'unknown-bank': 'It is of a bank whose files are not read',
  contradiction: 'Its trailer states another total than its lines have',
}

/** The account of a file, or else a sentence with the fix. */
function accountOf(
  file: ReturnFile,
  accounts: readonly AccountDescription[],
  accountId: string | undefined,
): AccountDescription | string {
  if (accountId !== undefined) return givenAccount(file, accounts, accountId)
  const named = accounts.filter(({ settings }) => isOf(settings, file))
  const [only, ...others] = named
  const { agency = '?', account = '?', agreement = '?' } = file.header
  const whose = `bank ${file.bank}, agency ${agency}, account ${account}, agreement ${agreement}`
  if (only === undefined)
    return `No account here is the file's (${whose}): name one with cofre boleto import --account, or add it`
  if (others.length > 0)
    return `Several accounts are the file's (${whose}): name one with cofre boleto import --account: ${named.map(({ id }) => id).join(', ')}`
  return only
}

/** An account of another bank may have the same numbers for other boletos. */
function givenAccount(
  file: ReturnFile,
  accounts: readonly AccountDescription[],
  accountId: string,
): AccountDescription | string {
  const account = accounts.find(({ id }) => id === accountId)
  if (account === undefined) return `There is no account ${accountId}: see cofre account list`
  const { bank = file.bank } = account.settings
  return bank === file.bank
    ? account
    : `The file is of bank ${file.bank}, and the account ${accountId} of bank ${String(bank)}`
}

/**
 * Compares bank and agreement, because each agreement numbers its own boletos. Compares the account
 * if either has no agreement. Ignores leading zeros.
 */
function isOf(
  { bank, agency, account, agreement }: AccountDescription['settings'],
  { bank: code, header }: ReturnFile,
): boolean {
  if (bank !== code) return false
  if (agency !== undefined && header.agency !== undefined && !isSame(agency, header.agency))
    return false
  return agreement === undefined || header.agreement === undefined
    ? isSame(account, header.account)
    : isSame(agreement, header.agreement)
}

function isSame(ours: unknown, theirs: string | undefined): boolean {
  if (typeof ours !== 'string' || theirs === undefined) return false
  return bare(ours) === bare(theirs) && bare(ours) !== ''
}

function bare(number: string): string {
  return number.replaceAll(/\W/g, '').replace(/^0+/, '')
}
