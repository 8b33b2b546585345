import { type Merchant, type PreviousSecret, mayCheckCards } from '@cofre/gateway/room'
import type { LimitSetting } from '../../model/shop-settings.js'
import { USUAL_LANGUAGE } from '@cofre/contracts'
import { fill, type Language } from '@cofre/pages'
import {
  Copyable,
  Facts,
  useView,
  useTexts,
  formatCount,
  formatLanguage,
  formatTime,
} from '@cofre/panel/page'
import { STORE_TEXTS } from './texts.js'

/** The limits of declines; undefined without a limit. */
export type ShownLimits = Readonly<Record<LimitSetting, number | undefined>>

interface StoreFactsProps {
  readonly merchant: Merchant
  /** The previous secret, while it still signs. */
  readonly previous: PreviousSecret | undefined
}

/** The shop's own settings, with links to the pages where its owners change them. */
export function StoreFacts({ merchant, previous }: StoreFactsProps) {
  const { at, language, may } = useView()
  const credentials = useTexts(STORE_TEXTS).credentials
  const texts = useTexts(STORE_TEXTS).store
  const { fieldOrigins, id, name, notificationUrl, signature, surplus, uncaptured } = merchant
  const { language: ofPayers = USUAL_LANGUAGE, specificationSignedAtMs } = merchant
  const signedOldAt =
    specificationSignedAtMs !== undefined &&
    fill(texts.signedOldAt, { day: formatTime(specificationSignedAtMs, language) })
  return (
    <section class="card">
      <Facts
        facts={[
          [credentials.store, name],
          [credentials.storeId, <Copyable id="store-id" text={id} label={credentials.storeId} />],
          [texts.signs, texts.signatures[signature ?? 'any']],
          [texts.signedOld, signedOldAt],
          [
            texts.previousSecret,
            previous !== undefined &&
              fill(texts.signsUntil, { until: formatTime(previous.untilMs, language) }),
          ],
          [texts.surplus, texts.surpluses[surplus ?? 'refund']],
          [texts.settings.uncaptured, texts.uncapturedIs[uncaptured ?? 'void']],
          [texts.settings.language, formatLanguage(ofPayers, language)],
          [
            texts.settings.notificationUrl,
            notificationUrl === undefined ? texts.noAddress : <code>{notificationUrl}</code>,
          ],
          [
            texts.fieldOrigins,
            fieldOrigins.length === 0 ? texts.noFields : fieldOrigins.join(', '),
          ],
        ]}
      />
      {may('store:change') && (
        <div class="actions">
          <a class="button quiet" href={at('/store/settings')}>
            {texts.settings.button}
          </a>
          <a class="button quiet" href={at('/store/origins')}>
            {texts.origins.button}
          </a>
        </div>
      )}
    </section>
  )
}

interface OperatorFactsProps {
  readonly merchant: Merchant
  readonly limits: ShownLimits
}

/** The operator's settings; owners may lower the limits. */
export function OperatorFacts({ merchant, limits }: OperatorFactsProps) {
  const { fieldOrigins, mayUseRawCards, refunds, refusesCardReferences, rules, showsBin } = merchant
  const refusesFields = merchant.unknownFields === 'refuse' && rules !== 'lenient'
  const view = useView()
  const texts = STORE_TEXTS[view.language].store
  return (
    <section class="card">
      <h2>{texts.ofOperator}</h2>
      <Facts
        facts={[
          [texts.refunds, texts.refundRights[refunds]],
          [texts.rules, texts.ruleSets[rules]],
          [
            texts.unknownFields,
            view.environment === 'sandbox' &&
              texts.unknownFieldsAre[refusesFields ? 'refuse' : 'say'],
          ],
          [
            texts.declines,
            fill(texts.declinesText, {
              payer: limitText(limits.payerDeclines, view.language),
              address: limitText(limits.addressDeclines, view.language),
              bin: limitText(limits.binDeclines, view.language),
            }),
          ],
          [texts.rawCards, mayUseRawCards ? texts.yes : texts.no],
          [
            texts.cardChecks,
            view.environment !== undefined &&
              (mayCheckCards(merchant, view.environment) ? texts.yes : texts.no),
          ],
          [texts.cardReferences, texts.references[refusesCardReferences ? 'refused' : 'accepted']],
          [texts.showsBin, fieldOrigins.length > 0 && (showsBin ? texts.yes : texts.no)],
        ]}
      />
      <p class="hint">{texts.changedBy}</p>
    </section>
  )
}

/** `30`, or the text for no limit. */
export function limitText(limit: number | undefined, language: Language): string {
  return limit === undefined
    ? STORE_TEXTS[language].store.settings.noLimit
    : formatCount(limit, language)
}
