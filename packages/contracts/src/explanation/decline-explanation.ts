// Why cards are declined, in words: for shops and operators all that is known, for shoppers less.
// Free of zod: shops' servers and pages import it.
import type { DeclineReason } from '../transaction/decline.js'
import type { Explanation, ExplanationLanguage } from './explanation.js'
import texts from './declines.json' with { type: 'json' }

type Texts = Readonly<Record<ExplanationLanguage, string>>
type ReasonTexts = Readonly<Record<ExplanationLanguage, readonly string[]>> & {
  readonly shopper: string
}

const phrases: Readonly<Record<string, Texts>> = texts.phrases
const shopperTexts: Readonly<Record<string, Texts>> = texts.shopper
const reasonTexts: ReadonlyMap<string, ReasonTexts> = new Map<string, ReasonTexts>(
  Object.entries(texts.reasons satisfies Record<DeclineReason, ReasonTexts>),
)

/** The texts of a reason; of one that a later release has brought, those of none. */
function textsOf(reason: string): ReasonTexts {
  return reasonTexts.get(reason) ?? texts.reasons.generic
}

/**
 * Explains a decline's reason to a shop or an operator. Whether and when to try the card again, the
 * decline itself says.
 */
export function explainDecline(reason: string, language: ExplanationLanguage): Explanation {
  const [meaning = '', advice = ''] = textsOf(reason)[language]
  return {
    meaning,
    advice: advice.replaceAll(/\{(\w+)\}/g, (_, key: string) => phrases[key]?.[language] ?? ''),
  }
}

/**
 * What a shopper may read of a decline. It helps no thief: a card that is reported stolen reads
 * like one whose bank gives no reason.
 * @param reason - As the service names it.
 */
export function shopperTextOf(reason: string, language: ExplanationLanguage): string {
  return shopperTexts[textsOf(reason).shopper]?.[language] ?? ''
}
