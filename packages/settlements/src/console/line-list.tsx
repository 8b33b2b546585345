import { DAY_MS, isCalendarDate } from '@cofre/contracts'
import {
  SETTLEMENT_RESULTS,
  type SettledLine,
  type SettlementOutcome,
  UNSETTLED,
} from '../model/settlement.js'
import { fill } from '@cofre/pages'
import { Amount, signedMoney } from './overview.js'
import { sourceText, useFormats } from './source-text.js'
import { SETTLEMENT_TEXTS } from './texts.js'
import {
  PostForm,
  Select,
  actorText,
  dateOf,
  formatDay,
  formatTime,
  useTexts,
  useView,
} from '@cofre/panel/page'

type Query = Readonly<Record<string, string>>

/** The lines that an address selects; invalid values filter nothing. */
export function linesQueryOf({ result = '', file = '', from = '', until = '' }: Query) {
  const results: readonly SettlementOutcome[] =
    result === 'all' ? SETTLEMENT_RESULTS : SETTLEMENT_RESULTS.filter((known) => known === result)
  const [fromDay, lastDay] = [dayNumber(from), dayNumber(until)]
  return {
    results: results.length === 0 ? UNSETTLED : results,
    fileId: /^\d{1,15}$/.test(file) ? Number(file) : undefined,
    period:
      fromDay === undefined && lastDay === undefined
        ? undefined
        : { fromDay: fromDay ?? 0, untilDay: (lastDay ?? MAX_DAY) + 1 },
  }
}

const MAX_DAY = 99_999

function dayNumber(text: string): number | undefined {
  return isCalendarDate(text) ? Date.parse(`${text}T00:00:00Z`) / DAY_MS : undefined
}

/** True if the selection differs from the lines that need a person. */
export function isFiltered(query: Query): boolean {
  const { results, fileId, period } = linesQueryOf(query)
  return results !== UNSETTLED || fileId !== undefined || period !== undefined
}

export function LineFilter({ query }: { readonly query: Query }) {
  const { at, texts: all } = useView()
  const texts = useTexts(SETTLEMENT_TEXTS).settlements
  const { fileId } = linesQueryOf(query)
  return (
    <form
      class="filter card"
      role="search"
      aria-label={texts.lines.filter}
      action={at('/settlements/lines')}
    >
      <div class="choices">
        <Select
          name="result"
          label={texts.lines.result}
          options={{ ...texts.results, all: texts.lines.all }}
          chosen={query.result ?? ''}
          any={texts.lines.unsettled}
        />
        {(['from', 'until'] as const).map((name) => (
          <label>
            {all.period[name]}
            <input type="date" name={name} value={query[name] ?? ''} />
          </label>
        ))}
        {fileId !== undefined && <input type="hidden" name="file" value={fileId} />}
        <button>{texts.lines.apply}</button>
      </div>
      {fileId !== undefined && (
        <p>
          <a href={at(`/settlements/files/${fileId}`)}>{texts.lines.ofFile}</a>{' '}
          <a href={at('/settlements/lines')}>{texts.lines.ofAll}</a>
        </p>
      )}
    </form>
  )
}

interface LineTableProps {
  readonly lines: readonly SettledLine[]
  /** The names of the people who resolved some, if the store still knows them. */
  readonly names: ReadonlyMap<string, string>
}

export function LineTable({ lines, names }: LineTableProps) {
  const { title } = useTexts(SETTLEMENT_TEXTS).settlements.lines
  const texts = useTexts(SETTLEMENT_TEXTS).settlements
  return (
    <table class="list card" aria-label={title}>
      <thead>
        <tr>
          <th scope="col">{texts.lines.payment}</th>
          <th scope="col">{texts.lines.result}</th>
          <th scope="col">{texts.lines.kind}</th>
          <th scope="col">{texts.day}</th>
          <th scope="col" class="number">
            {texts.columns.gross}
          </th>
          <th scope="col" class="number">
            {texts.columns.fee}
          </th>
          <th scope="col" class="number">
            {texts.columns.net}
          </th>
          <th scope="col">{texts.lines.where}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <Line line={line} names={names} />
        ))}
      </tbody>
    </table>
  )
}

interface LineProps {
  readonly line: SettledLine
  readonly names: LineTableProps['names']
}

function Line({ line, names }: LineProps) {
  const view = useView()
  const { at, language } = view
  const texts = SETTLEMENT_TEXTS[view.language].settlements
  return (
    <tr>
      <th scope="row" data-label={texts.lines.payment}>
        <PaymentOf line={line} />
      </th>
      <td data-label={texts.lines.result}>
        <Result line={line} />
        <Resolution line={line} names={names} />
      </td>
      <td data-label={texts.lines.kind}>
        {texts.kinds[line.kind]} <span class="minor">{partOf(line)}</span>
      </td>
      <td data-label={texts.day}>{formatDay(dateOf(line.day), language)}</td>
      <Amount label={texts.columns.gross} minor={line.grossMinor} />
      <Amount label={texts.columns.fee} minor={line.feeMinor} />
      <Amount label={texts.columns.net} minor={line.netMinor} />
      <td data-label={texts.lines.where}>
        <a href={at(`/settlements/files/${line.fileId}`)}>
          {fill(texts.place.line, { line: line.line })}
        </a>{' '}
        <span class="minor">{sourceText(line.source, language, useFormats())}</span>
      </td>
    </tr>
  )
}

function PaymentOf({ line }: { readonly line: SettledLine }) {
  const { at, texts } = useView()
  const { name, result, transactionCode } = line
  if (transactionCode === undefined || result === 'unknown')
    return <>{name ?? transactionCode ?? texts.frame.none}</>
  return (
    <>
      <a class="row-link" href={at(`/payments/${transactionCode}`)}>
        {name ?? transactionCode}
      </a>{' '}
      {name !== undefined && <code class="minor">{transactionCode}</code>}
    </>
  )
}

const RESULT_KINDS = {
  matched: 'good',
  different: 'bad',
  unknown: 'bad',
  resolved: 'good',
  repeated: 'waiting',
  'no-payment': 'waiting',
} as const

function Result({ line }: { readonly line: SettledLine }) {
  const { language } = useView()
  const texts = useTexts(SETTLEMENT_TEXTS).settlements
  const { difference, expectedMinor, result } = line
  const expected =
    expectedMinor !== undefined &&
    fill(texts.lines.expected, { amount: signedMoney(expectedMinor, language) })
  return (
    <>
      <span class={`badge ${RESULT_KINDS[result]}`}>{texts.results[result]}</span>{' '}
      <span class="minor">
        {difference !== undefined && texts.differences[difference]}
        {expected !== false && ` ${expected}`}
      </span>
    </>
  )
}

/** A person's finding on a difference, or the form for one. */
function Resolution({ line: { fileId, line, resolution, result }, names }: LineProps) {
  const view = useView()
  const { at, language, may } = view
  const texts = SETTLEMENT_TEXTS[view.language].settlements.lines
  if (resolution !== undefined) {
    const { actor, atMs, note } = resolution
    const who = actorText({ actor, actorName: names.get(actor) }, view)
    const when = formatTime(atMs, language)
    return <div class="minor">{fill(texts.resolvedBy, { who, when, note })}</div>
  }
  const isOpen = UNSETTLED.some((unsettled) => unsettled === result)
  if (!isOpen || !may('settlements:upload')) return <></>
  return (
    <details>
      <summary>{texts.resolve}</summary>
      <PostForm action={at(`/settlements/files/${fileId}/resolve`)}>
        <input type="hidden" name="line" value={line} />
        <label>
          {texts.note}
          <input name="note" required maxlength={200} />
        </label>
        <p class="minor">{texts.noteHint}</p>
        <button class="quiet">{texts.resolve}</button>
      </PostForm>
    </details>
  )
}

/** `2/3` of a sale in parts. */
export function partOf({ installment, installments }: SettledLine): string {
  return installments === undefined ? '' : `${installment ?? '?'}/${installments}`
}
