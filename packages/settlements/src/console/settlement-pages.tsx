import { type SettlementFormat, holdsCardNumber, maskCardNumbers } from '@cofre/contracts'
import { Notice } from '@cofre/pages'
import { FilePage } from './file-page.js'
import { LineFilter, LineTable, isFiltered, linesQueryOf } from './line-list.js'
import { MissingPayments } from './missing-payments.js'
import { Overview } from './overview.js'
import { readCounted } from './read-file.js'
import { daysTable, linesTable, missingTable } from './settlement-csv.js'
import type { SettlementParts } from './parts.js'
import { SETTLEMENT_TEXTS } from './texts.js'
import {
  type ActionRule,
  type ConsolePages,
  CsvLinks,
  type Form,
  type ActionResult,
  Pagination,
  type UploadForm,
  type Visit,
  accountNames,
  actorOf,
  csvResponse,
  csvTime,
  done,
  readPeriod,
  readSeparator,
  refused,
  portAt,
  staffNames,
} from '@cofre/panel/page'
import { FormatsContext } from './source-text.js'
import type { Child } from 'hono/jsx'

/** Lines of more days take too long to add up. */
const DAYS_MAX = 92
const PAGE_SIZE = 50
const FILES_SHOWN = 20
const NAME_LENGTH_MAX = 120

const uploadOf = (parts: SettlementParts) =>
  ({
    needs: 'settlements:upload',
    act: 'settlements:upload',
    detail: (form) => ({
      format: formatOf(parts, form)?.name ?? '?',
      account: loggedAccount(form),
    }),
  }) as const satisfies ActionRule
const COMPARE = { needs: 'settlements:upload', act: 'settlements:compare' } as const
const RESOLVE = {
  needs: 'settlements:upload',
  act: 'settlements:resolve',
  // The note may contain anything, and is stored with the line.
  detail: (form) => ({ line: String(readId(form.get('line')) ?? '?') }),
} as const satisfies ActionRule
const NOTE_LENGTH_MAX = 200
const REMOVE = { needs: 'settlements:upload', act: 'settlements:remove' } as const

/** The pages of payouts of banks and acquirers, compared with the payments. */
export function settlementPages(pages: ConsolePages, parts: SettlementParts): void {
  overviewPage(pages, parts)
  linePages(pages, parts)
  missingPages(pages, parts)
  filePages(pages, parts)
}

function overviewPage({ page, file }: ConsolePages, parts: SettlementParts): void {
  page('/settlements', async (visit) => {
    const { c, environment, gateway, storeId } = visit
    const settlements = portAt(parts.settlements, { environment })
    const period = readPeriod(c.req.query(), settlements.today(), DAYS_MAX)
    const [days, { items: files, next }, covered, accounts, names] = await Promise.all([
      settlements.days(storeId, period),
      settlements.files(storeId, { after: c.req.query('after'), limit: FILES_SHOWN }),
      settlements.covered(storeId),
      acquirerAccounts(parts, visit),
      accountNames(gateway, storeId),
    ])
    const body = (
      <>
        <Overview {...{ period, days, covered, accounts, names, files }} />
        <Pagination next={next} />
      </>
    )
    return { body: withFormats(parts, body) }
  })

  file('/settlements.csv', async (visit) => {
    const { c, environment, storeId, view } = visit
    const settlements = portAt(parts.settlements, { environment })
    const separator = readSeparator(c.req.query('separator'))
    const period = readPeriod(c.req.query(), settlements.today(), DAYS_MAX)
    const days = await settlements.days(storeId, period)
    const table = daysTable(days, { view, separator })
    return csvResponse(visit, parts, { name: fileNameOf(visit), separator, ...table })
  })
}

function linePages({ page, file }: ConsolePages, parts: SettlementParts): void {
  page('/settlements/lines', async ({ c, environment, storeId, view }) => {
    const settlements = portAt(parts.settlements, { environment })
    const query = c.req.query()
    const asked = { ...linesQueryOf(query), after: query.after, limit: PAGE_SIZE }
    const { items, next } = await settlements.lines(storeId, asked)
    const { title, noLines, noDifferences } = SETTLEMENT_TEXTS[view.language].settlements.lines
    const body = (
      <>
        <LineFilter query={query} />
        {items.length > 0 ? (
          <LineTable lines={items} names={await staffNames(parts, { environment, storeId })} />
        ) : (
          <Notice {...(isFiltered(query) ? noLines : noDifferences)} />
        )}
        <div class="row">
          <Pagination next={next} />
          {items.length > 0 && <CsvLinks />}
        </div>
      </>
    )
    return { title, heading: <h1>{title}</h1>, body: withFormats(parts, body) }
  })

  file('/settlements/lines.csv', (visit) => {
    const { c, environment, storeId, view } = visit
    const separator = readSeparator(c.req.query('separator'))
    const lines = portAt(parts.settlements, { environment }).allLines(
      storeId,
      linesQueryOf(c.req.query()),
    )
    const table = linesTable(lines, { view, separator, formats: parts.formats })
    return csvResponse(visit, parts, { name: fileNameOf(visit), separator, ...table })
  })
}

function missingPages({ page, file }: ConsolePages, parts: SettlementParts): void {
  page('/settlements/missing', async ({ c, environment, gateway, storeId, view }) => {
    const settlements = portAt(parts.settlements, { environment })
    const query = { after: c.req.query('after'), limit: PAGE_SIZE }
    const [covered, { items, next }, names] = await Promise.all([
      settlements.covered(storeId),
      settlements.missing(storeId, query),
      accountNames(gateway, storeId),
    ])
    const { title, searchOn } = SETTLEMENT_TEXTS[view.language].settlements.missing
    const body = (
      <>
        <MissingPayments {...{ covered, items, names }} isPart={next !== undefined} />
        <div class="row">
          <Pagination next={next} nextText={searchOn} />
          {covered.length > 0 && <CsvLinks />}
        </div>
      </>
    )
    return { title, heading: <h1>{title}</h1>, body }
  })

  file('/settlements/missing.csv', async (visit) => {
    const { c, environment, gateway, storeId, view } = visit
    const accounts = await accountNames(gateway, storeId)
    const separator = readSeparator(c.req.query('separator'))
    const table = missingTable(portAt(parts.settlements, { environment }).allMissing(storeId), {
      view,
      separator,
      accounts,
    })
    return csvResponse(visit, parts, { name: fileNameOf(visit), separator, ...table })
  })
}

/** Provides the formats of files to the page's components. */
function withFormats({ formats }: SettlementParts, children: Child) {
  return <FormatsContext.Provider value={formats}>{children}</FormatsContext.Provider>
}

function fileNameOf({ gateway, view }: Visit): string {
  return `${SETTLEMENT_TEXTS[view.language].settlements.fileName}-${csvTime(gateway.clock.now()).slice(0, 10)}`
}

function filePages({ page, action, upload }: ConsolePages, parts: SettlementParts): void {
  // A person who signs in again after an upload is sent to this address.
  page('/settlements/files', ({ c, view }) => c.redirect(view.at('/settlements')))

  upload('/settlements/files', uploadOf(parts), (visit, form) => importInTurn(parts, visit, form))

  page('/settlements/files/:code', async ({ c, environment, gateway, storeId, view }) => {
    const id = readId(c.req.param('code')) ?? 0
    const file = await portAt(parts.settlements, { environment }).file(storeId, id)
    if (file === undefined) return undefined
    const name = (await staffNames(parts, { environment, storeId })).get(file.actor)
    const { title } = SETTLEMENT_TEXTS[view.language].settlements.file
    const names = await accountNames(gateway, storeId)
    const body = <FilePage file={file} by={name} names={names} />
    return { title, heading: <h1>{file.name}</h1>, body: withFormats(parts, body) }
  })

  action('/settlements/files/:code/compare', COMPARE, async ({ c, environment, storeId }) => {
    const id = readId(c.req.param('code')) ?? 0
    const isBegun = await portAt(parts.settlements, { environment }).compareAgain(storeId, id)
    return isBegun ? done('compared-again') : refused('gone')
  })

  action('/settlements/files/:code/resolve', RESOLVE, async (visit, form) => {
    const { access, c, environment, storeId, view } = visit
    const note = maskCardNumbers(form.get('note')?.trim() ?? '').slice(0, NOTE_LENGTH_MAX)
    const line = readId(form.get('line'))
    if (line === undefined || note === '') return refused('form-incomplete')
    const fileId = readId(c.req.param('code')) ?? 0
    const resolution = { fileId, line, note, actor: actorOf(access) }
    const isResolved = await portAt(parts.settlements, { environment }).resolve(storeId, resolution)
    const beside = { to: view.at('/settlements/lines') }
    return isResolved ? done('line-resolved', beside) : refused('gone', beside)
  })

  action('/settlements/files/:code/remove', REMOVE, async (visit, form) => {
    const { c, environment, storeId, view } = visit
    if (form.get('confirm') !== 'yes') return refused('form-incomplete')
    const id = readId(c.req.param('code')) ?? 0
    const isRemoved = await portAt(parts.settlements, { environment }).remove(storeId, id)
    const beside = { to: view.at('/settlements') }
    return isRemoved ? done('file-removed', beside) : refused('gone', beside)
  })
}

function readId(text: string | undefined): number | undefined {
  return /^\d{1,15}$/.test(text ?? '') ? Number(text) : undefined
}

/**
 * Includes accounts with acquirers; if the vault does not answer, those named in payments are
 * listed.
 */
async function acquirerAccounts(
  { accountsOfPayments }: SettlementParts,
  visit: Visit,
): Promise<readonly string[]> {
  const { gateway, storeId } = visit
  const [accounts, known] = await Promise.all([
    portAt(accountsOfPayments, visit)(storeId),
    gateway.accounts.list(storeId),
  ])
  const ofVault = known.filter(({ keeper }) => keeper === 'vault').map(({ id }) => id)
  // Banks list their PIX themselves.
  const others = accounts.filter((account) => !known.some(({ id }) => id === account))
  return [...ofVault, ...others]
}

function formatOf({ formats }: SettlementParts, form: Form): SettlementFormat | undefined {
  return formats.find(form.get('format') ?? '')
}

/** The log is permanent, so arbitrary text must not be written to it. */
function loggedAccount(form: Form): string {
  const account = form.get('account') ?? ''
  return /^[\w-]{0,64}$/.test(account) && !holdsCardNumber(account) ? account : '?'
}

/** A store's concurrent uploads: each takes time from payments. */
const UPLOADS_MAX = 2

async function importInTurn(
  parts: SettlementParts,
  visit: Visit,
  upload: UploadForm,
): Promise<ActionResult> {
  const release = parts.limited(`upload ${visit.environment} ${visit.storeId}`, UPLOADS_MAX)
  if (release === undefined) return refused('too-many-uploads')
  try {
    return await importUpload(parts, visit, upload)
  } finally {
    release()
  }
}

async function importUpload(
  parts: SettlementParts,
  visit: Visit,
  { form, file }: UploadForm,
): Promise<ActionResult> {
  const { access, environment, storeId, view } = visit
  const format = formatOf(parts, form)
  const account = form.get('account') ?? ''
  if (format === undefined) return refused('form-incomplete')
  if (account !== '' && !(await acquirerAccounts(parts, visit)).includes(account))
    return refused('form-incomplete')
  if (file === undefined) return refused('no-file')
  const counted = readCounted(file.content)
  const readLines = await format.loadReader()
  const uploaded = {
    storeId,
    format: format.name,
    accountId: account === '' ? undefined : account,
    // The file's name may contain a card number.
    name: maskCardNumbers(file.name).slice(0, NAME_LENGTH_MAX),
    actor: actorOf(access),
  }
  const end = await portAt(parts.settlements, { environment }).upload(uploaded, {
    lines: readLines(counted.content, environment),
    read: counted.read,
  })
  await counted.drain()
  const beside = { to: view.at(`/settlements/files/${end.id}`) }
  if (end.kind === 'taken') return done('file-taken', beside)
  return refused(end.kind === 'known' ? 'file-known' : 'file-refused', beside)
}
