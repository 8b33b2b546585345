import { PAYMENT_STATUSES, SECOND_MS, minorUnits } from '@cofre/contracts'
import type { PaymentChoices, PaymentPage } from '../../model/payment-query.js'
import type { Figures, StoreFigures } from '../../model/store-figures.js'
import { Notice, countText, fill, properName } from '@cofre/pages'
import {
  CsvLinks,
  csvResponse,
  csvTime,
  readSeparator,
  type AccountNames,
  accountNames,
  type ConsolePages,
  Pagination,
  addressWith,
  setFlash,
  portAt,
  Select,
  type Visit,
  useView,
  useTexts,
  formatDuration,
  formatMoney,
  formatTime,
} from '@cofre/panel/page'
import { paymentsTable } from './payments-csv.js'
import { type FilterFields, hasChoices, isFiltered, queryOf, readFilter } from './payment-filter.js'
import { PayerSearch } from './payer-search-form.js'
import { PaymentTable, sortOf } from './payment-table.js'
import type { SearchParts } from './parts.js'
import { PAYMENT_LIST_TEXTS } from './texts.js'

export function paymentListPages({ page, file }: ConsolePages, parts: SearchParts): void {
  const whenThereIsNone = parts.simulated?.firstPayment
  page('/payments', async (visit) => {
    const { c, environment, gateway, storeId, view } = visit
    const figures = portAt(parts.figures, visit)
    const payments = portAt(parts.payments, visit)
    const { after } = c.req.query()
    const fields = readFilter(c.req.query())
    const usesIndex = isFiltered(fields) || fields.sort !== ''
    const isWhole = !usesIndex && after === undefined
    const [found, choices, unreadMs, accounts, today, examples] = await Promise.all([
      payments.find(storeId, { ...queryFor(visit, fields), after }),
      payments.choices(storeId),
      usesIndex || isWhole ? payments.indexAgeMs() : 0,
      accountNames(gateway, storeId),
      isWhole && view.may('figures:read') ? readToday(figures, storeId) : undefined,
      environment === 'sandbox' ? figures.examplesOf(storeId) : undefined,
    ])
    if (found.isCardNumber) {
      // Removed from the address, which histories and bookmarks store.
      setFlash(c, parts, 'card-number-typed')
      return c.redirect(addressWith(view.here, 'text', undefined), 303)
    }
    if (found.items.length === 0 && isWhole) {
      const isFirst = whenThereIsNone !== undefined && environment === 'sandbox'
      return { body: isFirst ? await whenThereIsNone(storeId, view.language) : <NoPayments /> }
    }
    const isMaking = examples === 'making'
    // Examples are dated weeks before they are made, so their dates do not show the index's age.
    const indexAgeMs = isMaking ? 0 : unreadMs
    const { title } = PAYMENT_LIST_TEXTS[view.language].transactions
    const hasOwn = found.items.some(({ transaction }) => transaction.example === undefined)
    const guide = isWhole && !hasOwn && environment === 'sandbox' && whenThereIsNone
    return {
      heading: <h1 class="visually-hidden">{title}</h1>,
      body: (
        <div class="payments stack">
          {guide && (
            <details class="card" data-keep="first-payment">
              <summary>{PAYMENT_LIST_TEXTS[view.language].transactions.examplesOnly}</summary>
              {await guide(storeId, view.language)}
            </details>
          )}
          {today !== undefined && <Today {...today} ageMs={indexAgeMs} />}
          {isMaking && (
            <p class="hint">{PAYMENT_LIST_TEXTS[view.language].transactions.examplesInTheMaking}</p>
          )}
          <Filter fields={fields} choices={choices} accounts={accounts} />
          {!view.may('payers:unmasked') && <PayerSearch />}
          {usesIndex && <IndexAge ageMs={indexAgeMs} />}
          <FoundPayments {...found} />
        </div>
      ),
    }
  })

  paymentsFile(file, parts)
}

function paymentsFile(file: ConsolePages['file'], parts: SearchParts): void {
  file('/payments.csv', async (visit) => {
    const { c, gateway, storeId, view } = visit
    const accounts = await accountNames(gateway, storeId)
    const separator = readSeparator(c.req.query('separator'))
    const payments = portAt(parts.payments, visit)
    const found = payments.all(storeId, queryFor(visit, readFilter(c.req.query())))
    const table = paymentsTable(found, { view, separator, accounts })
    const name = `${PAYMENT_LIST_TEXTS[view.language].transactions.fileName}-${csvTime(gateway.clock.now()).slice(0, 10)}`
    return csvResponse(visit, parts, { name, separator, ...table })
  })
}

function NoPayments() {
  const { at, may } = useView()
  return (
    <Notice {...useTexts(PAYMENT_LIST_TEXTS).transactions.none}>
      {may('payment-links:write') && (
        <a class="button quiet" href={at('/payment-links/new')}>
          {useTexts(PAYMENT_LIST_TEXTS).transactions.newLink}
        </a>
      )}
    </Notice>
  )
}

/** A person who sees documents masked must not find one by trying numbers. */
function queryFor({ view }: Visit, fields: FilterFields) {
  const query = queryOf(fields)
  return view.may('payers:unmasked') ? query : { ...query, documents: 'not-searched' as const }
}

interface FilterProps {
  readonly fields: FilterFields
  readonly choices: PaymentChoices
  readonly accounts: AccountNames
}

function Filter({ fields, choices, accounts }: FilterProps) {
  const view = useView()
  const texts = PAYMENT_LIST_TEXTS[view.language].transactions
  return (
    <form class="filter card" role="search" aria-label={texts.filter} action={view.at('/payments')}>
      <div class="box">
        <label>
          <span class="visually-hidden">{texts.text}</span>
          <input
            type="search"
            name="text"
            value={fields.text}
            placeholder={texts.textHint}
            title={texts.textTitle}
            maxlength={120}
          />
        </label>
        <button>{texts.apply}</button>
        {isFiltered(fields) && <a href={view.at('/payments')}>{texts.clear}</a>}
      </div>
      <details open={hasChoices(fields)} data-keep="filters">
        <summary>{texts.filters}</summary>
        <Choices fields={fields} choices={choices} accounts={accounts} />
      </details>
    </form>
  )
}

function Choices({ fields, choices, accounts }: FilterProps) {
  const texts = useTexts(PAYMENT_LIST_TEXTS).transactions
  const { statuses, methods } = useView().texts
  const statusOptions = Object.fromEntries(
    PAYMENT_STATUSES.map((status) => [status, `${statuses[status]} · ${status}`]),
  )
  const { newest, ...others } = texts.sorts
  const selects = [
    { name: 'status', label: texts.status, options: statusOptions },
    { name: 'method', label: texts.method, options: methods },
    { name: 'brand', label: texts.brand, options: asOptions(choices.brands, properName) },
    { name: 'account', label: texts.account, options: accounts.options(choices.accounts) },
  ] as const
  return (
    <div class="choices">
      {selects.map(({ name, label, options }) => (
        <Select name={name} label={label} options={options} chosen={fields[name]} any={texts.any} />
      ))}
      {(['from', 'until'] as const).map((name) => (
        <label>
          {texts[name]}
          <input type="date" name={name} value={fields[name]} />
        </label>
      ))}
      <Select name="sort" label={texts.sort} options={others} chosen={fields.sort} any={newest} />
    </div>
  )
}

function asOptions(
  values: readonly string[],
  textOf = (value: string): string => value,
): Readonly<Record<string, string>> {
  return Object.fromEntries(values.map((value) => [value, textOf(value)]))
}

/** Today's figures: two days of one store, found by their key. */
async function readToday(figures: Figures, storeId: string): Promise<StoreFigures> {
  const day = figures.today()
  return (await figures.read(storeId, { fromDay: day, untilDay: day + 1 })).now
}

interface TodayProps extends StoreFigures {
  /** The age of the index. */
  readonly ageMs: number
}

function Today({ total, declines, conversions, ageMs }: TodayProps) {
  const { at, language } = useView()
  const texts = useTexts(PAYMENT_LIST_TEXTS).transactions.today
  const sumOf = (counts: readonly number[]) => counts.reduce((sum, one) => sum + one, 0)
  const waiting = conversions.map(
    ({ created, paidWithin }) => created - sumOf(Object.values(paidWithin)),
  )
  const declined = declines.map(({ count }) => count)
  const amount = formatMoney(minorUnits(Math.round(total.amount)), language)
  return (
    <p class="today actions">
      <a href={at('/figures')}>{texts.title}</a>
      <span>
        {countText(texts.paid, total.count, language)}, {amount}
      </span>
      <span>{countText(texts.waiting, sumOf(waiting), language)}</span>
      <span>{countText(texts.declined, sumOf(declined), language)}</span>
      {ageMs > USUAL_AGE_MS && (
        <span>{fill(texts.asOf, { duration: formatDuration(ageMs, language) })}</span>
      )}
    </p>
  )
}

/** A payment is usually found some seconds after its creation; a greater age is shown. */
const USUAL_AGE_MS = 10 * SECOND_MS

function IndexAge({ ageMs }: { readonly ageMs: number }) {
  const { language } = useView()
  const { indexAge } = useTexts(PAYMENT_LIST_TEXTS).transactions
  if (ageMs <= USUAL_AGE_MS) return null
  const duration = formatDuration(ageMs, language)
  return <p class="hint">{fill(indexAge, { duration })}</p>
}

export function FoundPayments(page: PaymentPage) {
  const { items, next, searchedToMs, isCutShort, isUndecided } = page
  const { at, language, here } = useView()
  const texts = useTexts(PAYMENT_LIST_TEXTS).transactions
  const isOldestFirst = sortOf(here) === 'oldest'
  const time = searchedToMs === undefined ? undefined : formatTime(searchedToMs, language)
  const reach =
    time === undefined
      ? texts.searchedPart
      : fill(isOldestFirst ? texts.searchedUntil : texts.searchedBack, { time })
  return (
    <>
      {items.length > 0 && <PaymentTable items={items} />}
      {items.length === 0 && !isCutShort && (
        <Notice {...(isUndecided ? texts.undecided : texts.noneFound)}>
          <a class="button quiet" href={at('/payments')}>
            {texts.clear}
          </a>
        </Notice>
      )}
      {isCutShort && <p role="status">{reach}</p>}
      <div class="row">
        <Pagination next={next} nextText={isCutShort ? texts.searchOn : undefined} />
        {items.length > 0 && <CsvLinks />}
      </div>
    </>
  )
}
