import type { InterestChange, Merchant } from '@cofre/gateway/room'
import { fill, properName } from '@cofre/pages'
import { Time, type View, useView, formatCount } from '@cofre/panel/page'
import { STORE_TEXTS } from './texts.js'

interface InterestProps {
  readonly merchant: Merchant
  /** The installation's terms. */
  readonly usual: NonNullable<InterestChange['terms']>
}

/** The store's interest on installments, with a link for its owners to change it. */
export function InterestSection({ merchant, usual }: InterestProps) {
  const view = useView()
  const texts = STORE_TEXTS[view.language].store.interest
  return (
    <section class="card">
      <h2>{texts.title}</h2>
      <InterestInForce merchant={merchant} usual={usual} />
      {view.may('store:interest') && (
        <div class="actions">
          <a class="button quiet" href={view.at('/store/interest')}>
            {texts.change}
          </a>
        </div>
      )}
    </section>
  )
}

export function InterestInForce({ merchant, usual }: InterestProps) {
  const { interest = [] } = merchant
  const view = useView()
  const texts = STORE_TEXTS[view.language].store.interest
  return (
    <>
      <p>{fill(texts.usualTerms, { terms: termsText(usual, texts, view.language) })}</p>
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
                  {brand === undefined ? texts.allBrands : properName(brand)}
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
    </>
  )
}

type InterestTexts = (typeof STORE_TEXTS)['en']['store']['interest']

function termsText(
  { monthlyRate, interestFree }: InterestProps['usual'],
  texts: InterestTexts,
  language: View['language'],
): string {
  const options = { style: 'percent', maximumFractionDigits: 4 } as const
  return fill(texts.termsText, {
    rate: new Intl.NumberFormat(language, options).format(monthlyRate),
    free: formatCount(interestFree, language),
  })
}
