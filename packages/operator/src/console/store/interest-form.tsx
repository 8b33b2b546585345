import { CARD_BRANDS, INSTALLMENTS_BY_CONTRACT_MAX, isAccepted } from '@cofre/contracts'
import {
  type InterestChange,
  type Merchant,
  type SettingValue,
  type StoreChange,
  type WantedInterest,
  quantityMaxOf,
} from '@cofre/gateway/room'
import { interestMark } from '../../model/shop-settings.js'
import { properName } from '@cofre/pages'
import type { ActDetail } from '@cofre/panel/page'
import {
  changeDetail,
  type ActionRule,
  type ConsolePages,
  type ActionResult,
  done,
  refused,
  PostForm,
  type Form,
  type Visit,
  useView,
  useTexts,
} from '@cofre/panel/page'
import { authorOf } from './setting-author.js'
import { InterestInForce } from './interest.js'
import { Field, Problems } from './setting-field.js'
import { type StoreDesk, type StoreParts, deskAt } from './parts.js'
import { STORE_TEXTS } from './texts.js'

const NEW_INTEREST = {
  needs: 'store:interest',
  act: 'store:interest',
  stepUp: true,
  detail: detailOf,
} as const satisfies ActionRule

const BRANDS = CARD_BRANDS.filter(isAccepted).map(({ name }) => name)
const PERCENT = /^\d{1,3}(?:[.,]\d{1,4})?$/
const LOCAL_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/

type Typed = Readonly<Record<'brand' | 'rate' | 'free' | 'usual' | 'from', string>>
const UNTYPED: Typed = { brand: '', rate: '', free: '1', usual: '', from: '' }

type Texts = (typeof STORE_TEXTS)['en']['store']['interest']
/** The problem of each field, by the name of its text. */
type InterestProblems = Partial<Record<keyof Typed, keyof Texts['problems']>>

/** The form with which owners change the interest on installments, after a proof of identity. */
export function interestPages({ page, action }: ConsolePages, parts: StoreParts): void {
  page('/store/interest', { needs: 'store:interest' }, async (visit) => {
    const desk = deskAt(parts, visit)
    const merchant = await desk.findMerchant(visit.storeId)
    if (merchant === undefined) return undefined
    const mark = interestMark(merchant)
    return {
      ...shownForm({ desk, view: visit.view }, { merchant, mark, typed: UNTYPED }),
      still: true,
    }
  })
  action('/store/interest', NEW_INTEREST, (visit, form) => changeInterest(parts, visit, form))
}

async function changeInterest(parts: StoreParts, visit: Visit, form: Form): Promise<ActionResult> {
  const { storeId, view } = visit
  const desk = deskAt(parts, visit)
  const to = { to: view.at('/store') }
  const typed = readTyped(form)
  const mark = form.get('interest-mark') ?? ''
  const again = async (why: 'rule' | 'meanwhile', problems: InterestProblems = {}) => {
    const merchant = await desk.findMerchant(storeId)
    if (merchant === undefined) return refused('gone', to)
    // The form now shows the other person's change, so the next save replaces it.
    const known = why === 'meanwhile' ? interestMark(merchant) : mark
    const shown = shownForm({ desk, view }, { merchant, mark: known, typed, problems, why })
    return { again: shown, detail: { why } }
  }
  const problems = problemsOf(typed)
  if (Object.keys(problems).length > 0) return await again('rule', problems)
  const marked = { ...wantedOf(typed), mark }
  const result = await desk.changeInterest(storeId, marked, authorOf(parts, visit))
  if ('changed' in result)
    return done('interest-changed', { ...to, detail: changeOf(result.changed) })
  switch (result.refused) {
    case 'past':
      return await again('rule', { from: 'past' })
    case 'too-many':
      return await again('rule', { from: 'tooMany' })
    case 'meanwhile':
      return await again('meanwhile')
    case 'not-allowed':
      return refused('not-allowed', to)
    case 'no-store':
      return refused('gone', to)
  }
}

interface InterestFormProps {
  readonly merchant: Merchant
  /** The mark of the interest that the reader was shown. */
  readonly mark: string
  readonly usual: NonNullable<InterestChange['terms']>
  readonly typed: Typed
  readonly problems?: InterestProblems
  readonly why?: 'rule' | 'meanwhile'
}

interface Reader extends Pick<Visit, 'view'> {
  readonly desk: StoreDesk
}

function shownForm({ desk, view }: Reader, filled: Omit<InterestFormProps, 'usual'>) {
  const title = STORE_TEXTS[view.language].store.interest.change
  const body = <InterestForm usual={desk.usualTerms()} {...filled} />
  return { title, heading: <h1>{title}</h1>, body }
}

function InterestForm(props: InterestFormProps) {
  const { merchant, mark, usual, typed, problems = {}, why } = props
  const { at } = useView()
  const texts = useTexts(STORE_TEXTS).store.interest
  const problemsByField = new Map(
    Object.entries(problems).map(([name, problem]) => [
      name as keyof Typed,
      texts.problems[problem],
    ]),
  )
  return (
    <>
      <section class="card">
        <h2>{texts.inForce}</h2>
        <InterestInForce merchant={merchant} usual={usual} />
      </section>
      <PostForm action={at('/store/interest')} class="card">
        <input type="hidden" name="interest-mark" value={mark} />
        {why === 'meanwhile' && (
          <p class="flash bad" role="alert">
            {texts.meanwhile}
          </p>
        )}
        <Problems
          intro={useTexts(STORE_TEXTS).store.settings.problem}
          labels={texts}
          problems={problemsByField}
        />
        <p>{texts.hint}</p>
        <Fields merchant={merchant} typed={typed} problemsByField={problemsByField} />
        <button>{texts.submit}</button>
      </PostForm>
      <p>
        <a href={at('/store')}>{useTexts(STORE_TEXTS).store.settings.back}</a>
      </p>
    </>
  )
}

interface FieldsProps extends Pick<InterestFormProps, 'merchant' | 'typed'> {
  readonly problemsByField: ReadonlyMap<keyof Typed, string>
}

function Fields({ merchant, typed, problemsByField }: FieldsProps) {
  const texts = useTexts(STORE_TEXTS).store.interest
  const counts = Array.from({ length: quantityMaxOf(merchant) }, (_, index) => String(index + 1))
  const field = (name: keyof Typed) => ({
    name,
    label: texts[name],
    hint: texts.hints[name],
    problem: problemsByField.get(name),
  })
  const text = { autocomplete: 'off' } as const
  return (
    <>
      <Field {...field('brand')}>
        {(described) => (
          <select {...described}>
            <option value="">{texts.allBrands}</option>
            {BRANDS.map((name) => (
              <option value={name} selected={name === typed.brand}>
                {properName(name)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field {...field('rate')}>
        {(described) => (
          <input {...described} {...text} value={typed.rate} inputmode="decimal" maxlength={8} />
        )}
      </Field>
      <Field {...field('free')}>
        {(described) => (
          <select {...described}>
            {counts.map((count) => (
              <option value={count} selected={count === typed.free}>
                {count}
              </option>
            ))}
          </select>
        )}
      </Field>
      <UsualChoice typed={typed} />
      <Field {...field('from')}>
        {(described) => <input {...described} {...text} type="datetime-local" value={typed.from} />}
      </Field>
    </>
  )
}

function UsualChoice({ typed }: Pick<FieldsProps, 'typed'>) {
  const texts = useTexts(STORE_TEXTS).store.interest
  return (
    <div class="field">
      <label class="choice">
        <input
          type="checkbox"
          name="usual"
          value="yes"
          checked={typed.usual === 'yes'}
          aria-describedby="usual-hint"
        />
        {texts.usual}
      </label>
      <p class="hint" id="usual-hint">
        {texts.hints.usual}
      </p>
    </div>
  )
}

function readTyped(form: Form): Typed {
  const text = (name: keyof Typed): string => (form.get(name) ?? '').trim()
  return {
    brand: text('brand'),
    rate: text('rate'),
    free: text('free'),
    usual: text('usual'),
    from: text('from'),
  }
}

function problemsOf({ brand, rate, free, usual, from }: Typed): InterestProblems {
  const isUsual = usual === 'yes'
  return {
    ...(brand !== '' && !BRANDS.some((name) => name === brand) && { brand: 'brand' }),
    ...(isUsual ? rate !== '' && { rate: 'both' } : rateOf(rate) === undefined && { rate: 'rate' }),
    ...(!isUsual && freeOf(free) === undefined && { free: 'free' }),
    ...(from !== '' && timeOf(from) === undefined && { from: 'from' }),
  }
}

/** The values of fields without a problem. */
function wantedOf({ brand, rate, free, usual, from }: Typed): WantedInterest {
  const monthlyRate = rateOf(rate)
  const interestFree = freeOf(free)
  const isOwn = usual !== 'yes' && monthlyRate !== undefined && interestFree !== undefined
  const terms: InterestChange['terms'] = isOwn ? { monthlyRate, interestFree } : null
  return { brand: brand === '' ? undefined : brand, fromMs: timeOf(from), terms }
}

function rateOf(rate: string): number | undefined {
  const percent = PERCENT.test(rate) ? Number(rate.replace(',', '.')) : NaN
  return percent <= 100 ? Number((percent / 100).toFixed(6)) : undefined
}

function freeOf(free: string): number | undefined {
  const count = /^[1-9]\d?$/.test(free) ? Number(free) : NaN
  return count <= INSTALLMENTS_BY_CONTRACT_MAX ? count : undefined
}

/** Brasília is three hours behind UTC all year. */
function timeOf(from: string): number | undefined {
  const ms = LOCAL_TIME.test(from) ? Date.parse(`${from}:00-03:00`) : NaN
  return Number.isNaN(ms) ? undefined : ms
}

/** The logged detail of a request: only readable values. */
function detailOf(form: Form): ActDetail {
  const typed = readTyped(form)
  if (Object.keys(problemsOf(typed)).length > 0) return {}
  const { brand, fromMs, terms } = wantedOf(typed)
  return {
    brand: brand ?? 'all',
    ...(terms === null ? { rate: 'usual' } : { rate: terms.monthlyRate, free: terms.interestFree }),
    ...(fromMs !== undefined && { from: new Date(fromMs).toISOString() }),
  }
}

/** The logged detail of a change: the brand's new terms, and the terms before them. */
function changeOf({ interest }: StoreChange['settings']): ActDetail {
  const linesIn = (value: SettingValue | undefined): readonly string[] =>
    Array.isArray(value) ? value.map(String) : []
  const [from, to] = [linesIn(interest?.from), linesIn(interest?.to)]
  const added = to.filter((line) => !from.includes(line)).join('; ')
  const [brand = ''] = added.split(':')
  const gone = from.filter((line) => !to.includes(line))
  const last = from.findLast((line) => line.startsWith(`${brand}:`))
  const before = gone.length > 0 ? gone.join('; ') : (last ?? '–')
  return changeDetail('interest', before, added || '–')
}
