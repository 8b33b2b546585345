// Explanations of declines: complete for shops and operators, shorter for shoppers. Free of zod,
// because shops' servers and pages import it.
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

/** Texts of a reason; a reason from a later release gets the texts of `generic`. */
function textsOf(reason: string): ReasonTexts {
  return reasonTexts.get(reason) ?? texts.reasons.generic
}

/** A shop without types may omit it, or pass on its page's: `en-US`. */
function requireLanguage(language: string): void {
  if (!['en', 'pt-BR'].includes(language)) throw new TypeError('language must be en or pt-BR')
}

/**
 * Explains a decline's reason to a shop or an operator. The decline itself has the advice on
 * retries.
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
 * Explanation of a decline for a shopper. It helps no thief: a card reported as stolen has the same
 * text as one declined without a reason.
 * @param reason - The service's name for it.
 * @throws TypeError for another language
 */
export function shopperTextOf(reason: string, language: ExplanationLanguage): string {
  requireLanguage(language)
  return shopperTexts[textsOf(reason).shopper]?.[language] ?? ''
}
