import type { Act, ActDetail } from '@cofre/people'
import { expect, it } from 'vitest'
import { FRAME_TEXTS } from '../visit/texts.js'
import { changeDetail, detailOf, detailsOf } from './act-text.js'
import type { View } from '../visit/visit.js'

const VIEW = { texts: FRAME_TEXTS['pt-BR'], language: 'pt-BR', pages: [] as View['pages'] } as View

const act = (detail: ActDetail) => ({ detail }) as Act

it.each<[ActDetail, string]>([
  [
    changeDetail('signature', 'any', 'rfc9421'),
    'assinatura: Authorization ou RFC 9421 → só RFC 9421',
  ],
  [
    changeDetail('surplus', 'refund', 'keep'),
    'PIX sem pedido: devolvido ao pagador → fica com a loja',
  ],
  [
    changeDetail('uncaptured', 'void', 'capture'),
    'autorizados, não capturados: cancelados → capturados',
  ],
  [changeDetail('payerDeclines', 'usual (10)', '5'), 'recusas por pagador: padrão (10) → 5'],
  [changeDetail('payerDeclines', 'usual', '5'), 'recusas por pagador: padrão → 5'],
  [
    changeDetail('language', 'pt-BR', 'en-US'),
    'idioma das páginas de pagamento: português (Brasil) → inglês (Estados Unidos)',
  ],
  [
    changeDetail('notificationUrl', 'none', 'https://a.example/'),
    'notificações vão para: nenhum → https://a.example/',
  ],
  [
    { why: 'rule', settings: 'name payerDeclines' },
    'motivo: uma regra não permite, configurações: nome, recusas por pagador',
  ],
])('describes a logged change in words: %j', (detail, text) => {
  expect(detailOf(act(detail), VIEW)).toBe(text)
})

it('isolates the values before and after, so that neither reverses the other', () => {
  const details = detailsOf(act(changeDetail('name', 'Loja → \u202e', 'Nova → 2')), VIEW)
  expect(details.map(({ values }) => values)).toEqual([['Loja → \u202e', 'Nova → 2']])
})
