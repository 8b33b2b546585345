import { minorUnits } from '@cofre/contracts'
import type { CoveredAccount, SettledDay, SettlementFile } from '../model/settlement.js'
import { Notice, fill } from '@cofre/pages'
import { sourceText, useFormats } from './source-text.js'
import { SETTLEMENT_TEXTS } from './texts.js'
import {
  type AccountNames,
  type ChosenPeriod,
  CsvLinks,
  PeriodForm,
  Select,
  Time,
  dateOf,
  formatCount,
  formatDay,
  formatMoney,
  useTexts,
  useView,
} from '@cofre/panel/page'

interface OverviewProps {
  readonly period: ChosenPeriod
  readonly days: readonly SettledDay[]
  readonly files: readonly SettlementFile[]
  readonly covered: readonly CoveredAccount[]
  /** The accounts that a file may belong to. */
  readonly accounts: readonly string[]
  readonly names: AccountNames
}

export function Overview({ period, days, files, covered, accounts, names }: OverviewProps) {
  const { at, may } = useView()
  const texts = useTexts(SETTLEMENT_TEXTS).settlements
  return (
    <>
      <PeriodForm period={period} path="/settlements" shown={texts.shown} />
      <p class="actions">
        <a class="button quiet" href={at('/settlements/lines')}>
          {texts.lines.title}
        </a>
        {covered.length > 0 && (
          <a class="button quiet" href={at('/settlements/missing')}>
            {texts.missing.title}
          </a>
        )}
      </p>
      {days.length === 0 ? <Notice {...texts.noDays} /> : <DayTable days={days} />}
      {may('settlements:upload') && <UploadForm accounts={accounts} names={names} />}
      <FileTable files={files} names={names} />
    </>
  )
}

function DayTable({ days }: { readonly days: readonly SettledDay[] }) {
  const { language } = useView()
  const texts = useTexts(SETTLEMENT_TEXTS).settlements
  const sum = (of: (day: SettledDay) => number): number =>
    days.reduce((total, day) => total + of(day), 0)
  const total = {
    lines: sum(({ lines }) => lines),
    grossMinor: sum(({ grossMinor }) => grossMinor),
    feeMinor: sum(({ feeMinor }) => feeMinor),
    netMinor: sum(({ netMinor }) => netMinor),
    unsettled: sum(({ unsettled }) => unsettled),
  }
  return (
    <section class="card">
      <h2>{texts.byDay}</h2>
      <table class="list" aria-label={texts.byDay}>
        <thead>
          <tr>
            <th scope="col">{texts.day}</th>
            {(['lines', 'gross', 'fee', 'net', 'unsettled'] as const).map((column) => (
              <th scope="col" class="number">
                {texts.columns[column]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map((day) => (
            <tr>
              <th scope="row" data-label={texts.day}>
                {formatDay(dateOf(day.day), language)}
              </th>
              <Sums {...day} day={dateOf(day.day)} />
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{texts.total}</th>
            <Sums {...total} day={undefined} />
          </tr>
        </tfoot>
      </table>
      <p class="hint">{texts.feesHint}</p>
      <CsvLinks />
    </section>
  )
}

interface SumsProps extends Omit<SettledDay, 'day'> {
  /** Links to its lines that need a person. */
  readonly day: string | undefined
}

function Sums({ lines, grossMinor, feeMinor, netMinor, unsettled, day }: SumsProps) {
  const { at, language } = useView()
  const { columns } = SETTLEMENT_TEXTS[language].settlements
  const count = formatCount(unsettled, language)
  return (
    <>
      <td class="number" data-label={columns.lines}>
        {formatCount(lines, language)}
      </td>
      <Amount label={columns.gross} minor={grossMinor} />
      <Amount label={columns.fee} minor={feeMinor} />
      <Amount label={columns.net} minor={netMinor} />
      <td class="number" data-label={columns.unsettled}>
        {unsettled > 0 && day !== undefined ? (
          <a href={at(`/settlements/lines?from=${day}&until=${day}`)}>{count}</a>
        ) : (
          count
        )}
      </td>
    </>
  )
}

/** A cell with an amount, which may be negative. */
export function Amount({
  label,
  minor,
}: {
  readonly label: string
  readonly minor: number | undefined
}) {
  const { language, texts } = useView()
  return (
    <td class="number" data-label={label}>
      {minor === undefined ? texts.frame.none : signedMoney(minor, language)}
    </td>
  )
}

/** `−R$ 12,50` for a deduction. */
export function signedMoney(minor: number, language: Parameters<typeof formatMoney>[1]): string {
  const amount = formatMoney(minorUnits(Math.abs(minor)), language)
  return minor < 0 ? `−${amount}` : amount
}

function UploadForm({ accounts, names }: Pick<OverviewProps, 'accounts' | 'names'>) {
  const { at, csrfToken, here, language } = useView()
  const texts = useTexts(SETTLEMENT_TEXTS).settlements.upload
  const formats = Object.fromEntries(
    useFormats().all.map(({ name, titles }) => [name, titles[language]]),
  )
  return (
    <section class="card">
      <h2>{texts.title}</h2>
      <p>{texts.text}</p>
      <form method="post" action={at('/settlements/files')} enctype="multipart/form-data">
        <input type="hidden" name="csrf" value={csrfToken} />
        <input type="hidden" name="here" value={here} />
        <div class="choices">
          <Select name="format" label={texts.format} options={formats} />
          <Select
            name="account"
            label={texts.account}
            options={names.options(accounts)}
            any={texts.anyAccount}
            hintId="account-hint"
          />
          <label>
            {texts.file}
            <input type="file" name="file" required accept=".csv,.txt,text/csv,text/plain" />
          </label>
        </div>
        <p class="hint" id="account-hint">
          {texts.accountHint}
        </p>
        <button>{texts.button}</button>
      </form>
      <p class="hint">
        {texts.formatHint} <code>{texts.example}</code>
      </p>
    </section>
  )
}

function FileTable({ files, names }: Pick<OverviewProps, 'files' | 'names'>) {
  const view = useView()
  const formats = useFormats()
  const { at } = view
  const texts = SETTLEMENT_TEXTS[view.language].settlements
  if (files.length === 0) return <Notice {...texts.noFiles} />
  return (
    <section class="card">
      <h2>{texts.files}</h2>
      <table class="list" aria-label={texts.files}>
        <thead>
          <tr>
            {(['name', 'format', 'days', 'uploaded', 'state'] as const).map((column) => (
              <th scope="col">{texts.file[column]}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {files.map((file) => (
            <tr>
              <th scope="row" data-label={texts.file.name}>
                <a class="row-link" href={at(`/settlements/files/${file.id}`)}>
                  {file.name}
                </a>
              </th>
              <td data-label={texts.file.format}>
                {sourceText(file.format, view.language, formats)}{' '}
                {file.accountId !== undefined && (
                  <span class="minor">{names.of(file.accountId)}</span>
                )}
              </td>
              <td data-label={texts.file.days}>
                <Days file={file} />
              </td>
              <td data-label={texts.file.uploaded}>
                <Time ms={file.uploadedAtMs} />
              </td>
              <td data-label={texts.file.state}>
                <FileState file={file} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** The days of a file's lines. */
export function Days({ file: { fromDay, toDay } }: { readonly file: SettlementFile }) {
  const { language, texts } = useView()
  if (fromDay === undefined || toDay === undefined) return <>{texts.frame.none}</>
  const from = formatDay(dateOf(fromDay), language)
  if (fromDay === toDay) return <>{from}</>
  const until = formatDay(dateOf(toDay), language)
  return <>{fill(SETTLEMENT_TEXTS[language].settlements.fromUntil, { from, until })}</>
}

const STATE_KINDS = {
  reading: 'waiting',
  comparing: 'waiting',
  ready: 'good',
  removing: 'waiting',
  refused: 'bad',
} as const

export function FileState({ file }: { readonly file: SettlementFile }) {
  const { language } = useView()
  const { states, unsettledLines } = SETTLEMENT_TEXTS[language].settlements
  const { different = 0, unknown = 0 } = file.results
  const unsettled = different + unknown
  return (
    <>
      <span class={`badge ${STATE_KINDS[file.state]}`}>{states[file.state]}</span>{' '}
      {file.state === 'ready' && unsettled > 0 && (
        <span class="minor">
          {fill(unsettledLines, { count: formatCount(unsettled, language) })}
        </span>
      )}
    </>
  )
}
