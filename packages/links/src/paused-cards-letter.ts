import { fill, formatTime } from '@cofre/pages'
import { ALL_LINKS, type NotifiedPause } from './model/card-pause.js'
import type { NotifyOfPause } from './model/link-rules.js'
import texts from './paused-cards-letter.json' with { type: 'json' }

/** Sends e-mails. */
interface LetterSender {
  send(letter: {
    readonly to: string
    readonly subject: string
    readonly text: string
  }): Promise<void>
}

/** Writes to the owners of a store in both languages, since none of them requested the e-mail. */
export function pausedCardsLetters(sender: LetterSender): NotifyOfPause {
  return async (pause, owners) => {
    const parts = [partIn('pt-BR', pause), partIn('en', pause)]
    const subject = parts[0]?.subject ?? ''
    const text = parts.map((part) => part.text).join('\n---\n\n')
    for (const to of owners) await sender.send({ to, subject, text })
  }
}

function partIn(
  language: keyof typeof texts,
  { declines, endsAtMs, linkId, reference, storeId }: NotifiedPause,
) {
  const { subject, all, one, text } = texts[language]
  const where = linkId === ALL_LINKS ? all : fill(one, { reference: reference ?? linkId })
  const until = formatTime(endsAtMs, language)
  return {
    subject: fill(subject, { store: storeId }),
    text: fill(text, { declines: String(declines), where, until }),
  }
}
