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

/** A shop without types may leave it out, or hand its page's on: `en-US`. */
function requireLanguage(language: string): void {
  if (!['en', 'pt-BR'].includes(language)) throw new TypeError('language must be en or pt-BR')
}

/**
 * Explains a decline's reason to a shop or an operator. Whether and when to try the card again, the
 * decline itself says.
 * @throws TypeError for another language
 */
export function explainDecline(reason: string, language: ExplanationLanguage): Explanation {
  requireLanguage(language)
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
 * @throws TypeError for another language
 */
export function shopperTextOf(reason: string, language: ExplanationLanguage): string {
  requireLanguage(language)
  return shopperTexts[textsOf(reason).shopper]?.[language] ?? ''
}
