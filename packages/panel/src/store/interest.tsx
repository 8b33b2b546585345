import { CARD_BRANDS, INSTALLMENTS_BY_CONTRACT_MAX, isAccepted } from '@cofre/contracts'
import {
  type InterestChange,
  type Merchant,
  type WantedInterest,
  quantityMaxOf,
} from '@cofre/gateway'
import { fill } from '@cofre/pages'
import { type ActionRule, type Outcome, done, refused } from '../frame/console-pages.js'
import { PostForm, Select, Time } from '../frame/parts.js'
import { type Form, type Visit, useView } from '../frame/visit.js'
import { formatCount } from '../text/format.js'

export const NEW_INTEREST = {
  needs: 'store:interest',
  act: 'store:interest',
  stepUp: true,
  detail: detailOf,
} as const satisfies ActionRule

const BRANDS = CARD_BRANDS.filter(isAccepted).map(({ name }) => name)
const PERCENT = /^\d{1,3}(?:[.,]\d{1,4})?$/
const LOCAL_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/

interface InterestProps {
  readonly merchant: Merchant
  /** Of the installation. */
  readonly usual: NonNullable<InterestChange['terms']>
}

/** What installments cost at the store, and for its owners the form that changes it. */
export function InterestSection({ merchant, usual }: InterestProps) {
  const { interest = [] } = merchant
  const view = useView()
  const texts = view.texts.store.interest
  return (
    <section class="card">
      <h2>{texts.title}</h2>
      <p>{fill(texts.usual, { terms: termsText(usual, texts, view.language) })}</p>
      {interest.length > 0 && (
        <table class="list" aria-label={texts.title}>
          <thead>
            <tr>
              <th scope="col">{texts.brand}</th>
              <th scope="col">{texts.terms}</th>
              <th scope="col">{texts.from}</th>
            </tr>
          </thead>
          <tbody>
            {interest.map(({ brand, terms, fromMs }) => (
              <tr>
                <th scope="row" data-label={texts.brand}>
                  {brand ?? texts.allBrands}
                </th>
                <td data-label={texts.terms}>
                  {terms === null ? texts.asUsual : termsText(terms, texts, view.language)}
                </td>
                <td data-label={texts.from}>
                  <Time ms={fromMs} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {view.may('store:interest') && <InterestForm merchant={merchant} />}
    </section>
  )
}

function InterestForm({ merchant }: Pick<InterestProps, 'merchant'>) {
  const { at, texts: all } = useView()
  const texts = all.store.interest
  const counts = Array.from({ length: quantityMaxOf(merchant) }, (_, index) => String(index + 1))
  return (
    <PostForm action={at('/store/interest')}>
      <h3>{texts.change}</h3>
      <p id="interest-hint">{texts.hint}</p>
      <Select
        name="brand"
        label={texts.brand}
        options={Object.fromEntries(BRANDS.map((name) => [name, name]))}
        any={texts.allBrands}
        hintId="interest-hint"
      />
      <label>
        {texts.rate}
        <input name="rate" inputmode="decimal" maxlength={8} autocomplete="off" />
      </label>
      <Select
        name="free"
        label={texts.free}
        options={Object.fromEntries(counts.map((count) => [count, count]))}
      />
      <label class="choice">
        <input type="checkbox" name="usual" value="yes" />
        {texts.useUsual}
      </label>
      <label>
        {texts.fromOptional}
        <input type="datetime-local" name="from" autocomplete="off" />
      </label>
      <button>{texts.submit}</button>
    </PostForm>
  )
}

type InterestTexts = ReturnType<typeof useView>['texts']['store']['interest']

function termsText(
  { monthlyRate, interestFree }: InterestProps['usual'],
  texts: InterestTexts,
  language: Visit['view']['language'],
): string {
  const options = { style: 'percent', maximumFractionDigits: 4 } as const
  return fill(texts.termsText, {
    rate: new Intl.NumberFormat(language, options).format(monthlyRate),
    free: formatCount(interestFree, language),
  })
}

/** Changes the store's interest as the form says. */
export async function changeInterest({ gateway, storeId }: Visit, form: Form): Promise<Outcome> {
  const wanted = wantedOf(form)
  if (wanted === undefined) return refused('interest-unread')
  const result = await gateway.backOffice.changeInterest(storeId, wanted)
  if (result === undefined) return refused('gone')
  if (result === 'past') return refused('interest-past')
  if (result === 'too-many') return refused('interest-too-many')
  return done('interest-changed')
}

/** Undefined where the form is not filled in as it asks. */
function wantedOf(form: Form): WantedInterest | undefined {
  const text = (name: string): string => (form.get(name) ?? '').trim()
  const [brand, rate, from] = [text('brand'), text('rate'), text('from')]
  const isUsual = form.get('usual') === 'yes'
  if (brand !== '' && !BRANDS.some((name) => name === brand)) return undefined
  if (from !== '' && !LOCAL_TIME.test(from)) return undefined
  // Brasília is three hours behind UTC all year.
  const fromMs = from === '' ? undefined : Date.parse(`${from}:00-03:00`)
  if (Number.isNaN(fromMs)) return undefined
  const terms = isUsual ? null : termsOf(rate, text('free'))
  if (terms === undefined || (isUsual && rate !== '')) return undefined
  return { brand: brand === '' ? undefined : brand, fromMs, terms }
}

function termsOf(rate: string, free: string): InterestProps['usual'] | undefined {
  const percent = PERCENT.test(rate) ? Number(rate.replace(',', '.')) : undefined
  const interestFree = /^[1-9]\d?$/.test(free) ? Number(free) : undefined
  if (percent === undefined || percent > 100) return undefined
  if (interestFree === undefined || interestFree > INSTALLMENTS_BY_CONTRACT_MAX) return undefined
  return { monthlyRate: Number((percent / 100).toFixed(6)), interestFree }
}

/** What the log has of it: what could be read. */
function detailOf(form: Form) {
  const wanted = wantedOf(form)
  if (wanted === undefined) return {}
  const { brand, fromMs, terms } = wanted
  return {
    brand: brand ?? 'all',
    ...(terms === null ? { rate: 'usual' } : { rate: terms.monthlyRate, free: terms.interestFree }),
    ...(fromMs !== undefined && { from: new Date(fromMs).toISOString() }),
  }
}
