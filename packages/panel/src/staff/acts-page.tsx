import { DAY_MS, pages } from '@cofre/contracts'
import { Notice, fill } from '@cofre/pages'
import { type Act, type ActName, type ActsQuery, type Actor } from '@cofre/people'
import { csvTime, readSeparator } from '../export/csv-format.js'
import { CsvLinks } from '../export/csv-links.js'
import { csvResponse } from '../export/csv-response.js'
import { type AccountNames, accountNames } from '../part/account-names.js'
import type { ConsolePages } from '../frame/console-pages.js'
import { Pagination } from '../part/pagination.js'
import { startOfDay } from '../part/day-field.js'
import type { ConsolePeople, PeopleParts } from '../visit/panel-parts.js'
import { Select, Time } from '../part/parts.js'
import { type View, useView, useTexts } from '../visit/visit.js'
import {
  CHANGE,
  actNameOf,
  actNames,
  actorText,
  detailOf,
  detailsOf,
  outcomeOf,
} from '../part/act-text.js'
import { scopeOf } from './staff-scope.js'
import { STAFF_TEXTS } from './texts.js'

const PAGE_SIZE = 50
const EXPORT_PAGE_SIZE = 500

/** The log of acts in a store, and of its people's own sign-ins. It is read-only. */
export function actsPage({ page, file }: ConsolePages, parts: PeopleParts): void {
  const { people } = parts
  page('/acts', async ({ access, c, gateway, storeId, view }) => {
    const fields = readFields(c.req.query())
    const scope = scopeOf(access)
    const query = { ...queryOf(fields), scope, after: c.req.query('after') }
    const [{ items: acts, next }, members, accounts] = await Promise.all([
      people.acts.list(storeId, { ...query, limit: PAGE_SIZE }),
      people.staff.members(storeId, scope),
      accountNames(gateway, storeId),
    ])
    const names = Object.fromEntries(members.map(({ id, name }) => [id, name]))
    const body = (
      <>
        <Filter fields={fields} people={names} />
        {acts.length === 0 ? (
          <Notice {...STAFF_TEXTS[view.language].acts.none}>
            <a class="button quiet" href={view.at('/acts')}>
              {STAFF_TEXTS[view.language].acts.clear}
            </a>
          </Notice>
        ) : (
          <ActTable acts={acts} names={names} accounts={accounts} />
        )}
        <div class="row">
          <Pagination next={next} />
          {acts.length > 0 && <CsvLinks />}
        </div>
      </>
    )
    return { body }
  })

  file('/acts.csv', (visit) => {
    const { c, storeId, view } = visit
    const texts = STAFF_TEXTS[view.language].acts
    const separator = readSeparator(c.req.query('separator'))
    const name = `${texts.fileName}-${csvTime(parts.clock.now()).slice(0, 10)}`
    const heads = [
      texts.when,
      texts.who,
      texts.what,
      texts.target,
      texts.outcome,
      texts.environment,
      texts.detail,
      texts.address,
      texts.browser,
      texts.email,
      texts.actorId,
    ]
    const query = { ...queryOf(readFields(c.req.query())), scope: scopeOf(visit.access) }
    const rows = rowsOf(people.acts, { storeId, query, view })
    return csvResponse(visit, parts, { name, separator, heads, rows })
  })
}

interface Wanted {
  readonly storeId: string
  readonly query: Omit<ActsQuery, 'limit'>
  readonly view: View
}

async function* rowsOf(log: ConsolePeople['acts'], { storeId, query, view }: Wanted) {
  const all = pages((after: string | undefined) =>
    log.list(storeId, { ...query, after, limit: EXPORT_PAGE_SIZE }),
  )
  for await (const act of all)
    yield [
      csvTime(act.atMs),
      act.actorName ?? actorText(act, view),
      actNameOf(act.action, view),
      act.target ?? '',
      outcomeOf(act, view),
      view.texts.frame[act.environment],
      detailOf(act, view),
      act.address,
      act.browser,
      act.actorEmail ?? '',
      act.actor,
    ]
}

const FIELDS = ['person', 'act', 'target', 'from', 'until'] as const
type Fields = Readonly<Record<(typeof FIELDS)[number], string>>

function readFields(query: Readonly<Record<string, string>>): Fields {
  return Object.fromEntries(FIELDS.map((name) => [name, (query[name] ?? '').trim()])) as Fields
}

/** Filters with invalid values are ignored. */
function queryOf({ person, act, target, from, until }: Fields): Omit<ActsQuery, 'limit'> {
  const lastDayMs = startOfDay(until)
  return {
    actor: person === '' ? undefined : (`person:${person}` satisfies Actor),
    action: Object.hasOwn(actNames('en'), act) ? (act as ActName) : undefined,
    target: target === '' ? undefined : target.replaceAll('\0', ''),
    fromMs: startOfDay(from),
    untilMs: lastDayMs === undefined ? undefined : lastDayMs + DAY_MS,
  }
}

interface FilterProps {
  readonly fields: Fields
  readonly people: Readonly<Record<string, string>>
}

function Filter({ fields, people }: FilterProps) {
  const { at, language } = useView()
  const texts = useTexts(STAFF_TEXTS).acts
  return (
    <form class="filter card" role="search" aria-label={texts.filter} action={at('/acts')}>
      <div class="choices">
        <Select
          name="person"
          label={texts.who}
          options={people}
          chosen={fields.person}
          any={texts.anybody}
        />
        <Select
          name="act"
          label={texts.what}
          options={actNames(language)}
          chosen={fields.act}
          any={texts.anything}
        />
        <label>
          {texts.target}
          <input name="target" value={fields.target} maxlength={64} autocomplete="off" />
        </label>
        {(['from', 'until'] as const).map((name) => (
          <label>
            {texts[name]}
            <input type="date" name={name} value={fields[name]} />
          </label>
        ))}
        <button>{texts.apply}</button>
      </div>
    </form>
  )
}

interface ActTableProps {
  readonly acts: readonly Act[]
  /** Names of the store's people, by their ids. */
  readonly names: Readonly<Record<string, string>>
  readonly accounts: AccountNames
}

function ActTable({ acts, names, accounts }: ActTableProps) {
  const texts = useTexts(STAFF_TEXTS).acts
  return (
    <table class="list card" aria-label={texts.title}>
      <thead>
        <tr>
          {(['when', 'who', 'what', 'target', 'address'] as const).map((column) => (
            <th scope="col">{texts[column]}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {acts.map((act) => (
          <ActRow act={act} names={names} accounts={accounts} />
        ))}
      </tbody>
    </table>
  )
}

const PAYMENT_CODE = /^\d{4,15}$/

/** The page of an act's target, if it has one in this environment. */
function pageOf({ action, environment, target = '' }: Act, view: View): string | undefined {
  if (environment !== view.environment) return undefined
  const isOfLink = action === 'payment-link:revoke' || action === 'payment-link:lift'
  if (isOfLink && target !== '') return view.at(`/payment-links/${target}`)
  return PAYMENT_CODE.test(target) ? view.at(`/payments/${target}`) : undefined
}

/** A person's name; other targets by their own text. */
function TargetName({ act: { target = '', detail }, names }: ActTargetProps) {
  const name = names[target] ?? (target.startsWith('per_') ? detail.name : undefined)
  return name === undefined ? target : <bdi title={target}>{String(name)}</bdi>
}

interface ActTargetProps extends Pick<ActTableProps, 'names'> {
  readonly act: Act
}

interface DetailsProps {
  readonly details: ReturnType<typeof detailsOf>
}

/** Each value isolated: typed text can't change the writing direction of its neighbours. */
function Details({ details }: DetailsProps) {
  return details.map(({ name, values }, index) => (
    <>
      {index > 0 && ', '}
      {name}:{' '}
      {values.map((value, at) => (
        <>
          {at > 0 && CHANGE}
          <bdi>{value}</bdi>
        </>
      ))}
    </>
  ))
}

interface ActRowProps extends ActTargetProps, Pick<ActTableProps, 'accounts'> {}

function ActRow({ act, names, accounts }: ActRowProps) {
  const view = useView()
  const texts = STAFF_TEXTS[view.language].acts
  const { address, environment, outcome, target } = act
  const page = pageOf(act, view)
  const details = detailsOf(act, view, accounts)
  return (
    <tr>
      <th scope="row" data-label={texts.when}>
        <Time ms={act.atMs} />
      </th>
      <td data-label={texts.who}>
        <bdi>{act.actorName ?? actorText(act, view)}</bdi>
        {act.actorName !== undefined && (
          <>
            <br />
            <span class="minor" title={act.actor.replace('person:', '')}>
              {act.actorEmail}
            </span>
          </>
        )}
      </td>
      <td data-label={texts.what}>
        {actNameOf(act.action, view)}
        {outcome !== 'done' && (
          <>
            {' '}
            <span class="badge waiting">{outcomeOf(act, view)}</span>
          </>
        )}
        {details.length > 0 && (
          <>
            <br />
            <span class="minor">
              <Details details={details} />
            </span>
          </>
        )}
      </td>
      <td data-label={texts.target}>
        {target === undefined && view.texts.frame.none}
        {page === undefined ? (
          <TargetName act={act} names={names} />
        ) : (
          <a href={page}>{target}</a>
        )}{' '}
        {environment !== view.environment && (
          <span class="minor">
            {fill(texts.elsewhere, { environment: view.texts.frame[environment] })}
          </span>
        )}
      </td>
      <td data-label={texts.address}>{address === '' ? view.texts.frame.none : address}</td>
    </tr>
  )
}
