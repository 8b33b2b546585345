import type { Environment } from '@cofre/contracts'
import { ALL_LINKS, type TellOfPause, type ToldPause } from '@cofre/links'
import { fill, formatTime } from '@cofre/pages'
import type { Mailer } from '@cofre/panel'
import type { Config } from '../config/config.js'
import { createMailer } from './mailer.js'
import texts from './paused-cards-letter.json' with { type: 'json' }

/** Of production: stores' people are there, and developers decline cards all day. */
export function lettersOf(
  { smtp }: Pick<Config, 'smtp'>,
  environment: Environment,
): { readonly tell?: TellOfPause } {
  if (smtp === undefined || environment !== 'production') return {}
  return { tell: pausedCardsLetters(createMailer(smtp)) }
}

/** Writes to the owners of a store, in both languages: nobody has asked in one. */
export function pausedCardsLetters(mailer: Mailer): TellOfPause {
  return async (pause, owners) => {
    const parts = [partIn('pt-BR', pause), partIn('en', pause)]
    const subject = parts[0]?.subject ?? ''
    const text = parts.map((part) => part.text).join('\n---\n\n')
    for (const to of owners) await mailer.send({ to, subject, text })
  }
}

function partIn(
  language: keyof typeof texts,
  { declines, endsAtMs, linkId, reference, storeId }: ToldPause,
) {
  const { subject, all, one, text } = texts[language]
  const where = linkId === ALL_LINKS ? all : fill(one, { reference: reference ?? linkId })
  const until = formatTime(endsAtMs, language)
  return {
    subject: fill(subject, { store: storeId }),
    text: fill(text, { declines: String(declines), where, until }),
  }
}
