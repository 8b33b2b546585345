import { deleteOwnCookie, readCookie, writeCookie } from '../http/panel-cookie.js'
import { type Translated, translated } from '../language/language.js'
import type { PanelContext } from '../panel-context.js'
import type { PanelDeps } from '../panel-deps.js'

const FLASH_COOKIE = 'cofre_panel_flash'
const FLASH_LIFETIME_S = 60

/** What came of an action, told on the next page. */
export type Flash = keyof (typeof FLASHES)['en']

/** Actions that did not do what was asked. */
const FAILURES: ReadonlySet<Flash> = new Set([
  'status-not-allowed',
  'gone',
  'refund-done-before',
  'form-incomplete',
  'secret-fixed',
  'secret-not-current',
  'secret-locked',
])

const FLASHES = translated({
  'pt-BR': {
    'signed-out': 'Você saiu.',
    'status-notified': 'O banco informou o status, e a notificação está a caminho.',
    'status-not-allowed':
      'A transação mudou enquanto isso, e desse status não se chega ao escolhido. Veja abaixo quais são possíveis.',
    gone: 'Isso não existe mais. Os dados de teste podem ter sido apagados.',
    'refund-processed': 'O reembolso foi concluído, e a notificação está a caminho.',
    'refund-rejected': 'O reembolso foi recusado, e a notificação está a caminho.',
    'refund-done-before': 'Este reembolso já havia terminado.',
    resent: 'A notificação será enviada de novo agora.',
    'answer-set': 'O receptor responde assim a partir de agora.',
    'receiver-emptied': 'O receptor está vazio.',
    'clock-moved': 'O tempo passou para todo o sandbox.',
    'settlement-set': 'As liquidações seguem a nova escolha a partir de agora.',
    'secret-rotated': 'Há uma nova chave secreta. Copie-a: ela não será mostrada de novo.',
    'secret-not-current':
      'Essa não é a chave secreta atual, então nada mudou. Quem não a tem pede outra a quem opera o Cofre.',
    'secret-locked':
      'Cinco tentativas falharam. Para proteger a loja, tente de novo em 15 minutos.',
    'secret-fixed': 'A configuração fixa a chave desta loja: ela não muda aqui.',
    'reset-done': 'Os dados de teste foram apagados.',
    'form-incomplete': 'O formulário não estava completo. Confira os campos e envie de novo.',
  },
  en: {
    'signed-out': 'You have signed out.',
    'status-notified': 'The bank has reported the status, and the notification is on its way.',
    'status-not-allowed':
      'The transaction has changed meanwhile, and that status cannot be reached from it. See below which can.',
    gone: 'This is not there any more. The test data may have been reset.',
    'refund-processed': 'The refund has been processed, and the notification is on its way.',
    'refund-rejected': 'The refund has been rejected, and the notification is on its way.',
    'refund-done-before': 'This refund had ended before.',
    resent: 'The notification is being sent again.',
    'answer-set': 'The receiver answers like this from now on.',
    'receiver-emptied': 'The receiver is empty.',
    'clock-moved': 'Time has passed for the whole sandbox.',
    'settlement-set': 'Payments are settled in the new way from now on.',
    'secret-rotated': 'There is a new secret key. Copy it: it will not be shown again.',
    'secret-not-current':
      'That is not the current secret key, so nothing has changed. Lost it? Ask the operator for another.',
    'secret-locked': 'Five attempts have failed. To protect the store, try again in 15 minutes.',
    'secret-fixed': 'The configuration fixes this store’s key: it does not change here.',
    'reset-done': 'The test data has been deleted.',
    'form-incomplete': 'The form was not complete. Check the fields and send it again.',
  },
})

export interface ShownFlash {
  readonly kind: 'good' | 'bad'
  readonly text: string
}

export function setFlash(c: PanelContext, deps: PanelDeps, flash: Flash): void {
  writeCookie(c, deps, { name: FLASH_COOKIE, value: flash, lifetimeS: FLASH_LIFETIME_S })
}

/** What the last action left to say, once. */
export function takeFlash(c: PanelContext, deps: PanelDeps): ShownFlash | undefined {
  const value = readCookie(c, deps, FLASH_COOKIE)
  if (value === undefined) return undefined
  deleteOwnCookie(c, deps, FLASH_COOKIE)
  const texts: Translated<Readonly<Record<string, string>>> = FLASHES
  const known = texts[c.var.language]
  const text = Object.hasOwn(known, value) ? known[value] : undefined
  if (text === undefined) return undefined
  return { kind: FAILURES.has(value as Flash) ? 'bad' : 'good', text }
}
