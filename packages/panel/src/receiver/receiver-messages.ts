import { translated } from '../language/language.js'

export const receiverMessages = translated({
  'pt-BR': {
    title: 'Receptor',
    intro:
      'Um endereço que recebe notificações no lugar da sua loja. Use-o como notification-url e veja aqui o que chega, sem escrever código.',
    url: 'URL de notificação',
    answerTitle: 'O que ele responde',
    answer: 'Status HTTP',
    answerHint:
      'Com um erro, a notificação se repete: avance o relógio para ver a próxima tentativa.',
    apply: 'Responder assim',
    answers: {
      200: '200 OK: recebida',
      404: '404: endereço errado',
      500: '500: a loja quebrou',
      503: '503: a loja está fora do ar',
    },
    items: 'O que chegou',
    empty: {
      title: 'Nada chegou ainda',
      text: 'Crie uma transação com a URL acima e notifique um status: a notificação aparece aqui na hora.',
    },
    answered: (code: number) => `respondeu ${code}`,
    headers: 'Cabeçalhos',
    body: 'Corpo',
    emptyIt: 'Esvaziar o receptor',
  },
  en: {
    title: 'Receiver',
    intro:
      'An address that receives notifications in place of your shop. Use it as notification-url and see here what arrives, without writing code.',
    url: 'Notification URL',
    answerTitle: 'What it answers',
    answer: 'HTTP status',
    answerHint: 'With an error the notification repeats: move the clock to see the next attempt.',
    apply: 'Answer like this',
    answers: {
      200: '200 OK: received',
      404: '404: wrong address',
      500: '500: the shop broke',
      503: '503: the shop is down',
    },
    items: 'What arrived',
    empty: {
      title: 'Nothing has arrived yet',
      text: 'Create a transaction with the URL above and notify a status: the notification shows up here at once.',
    },
    answered: (code: number) => `answered ${code}`,
    headers: 'Headers',
    body: 'Body',
    emptyIt: 'Empty the receiver',
  },
})
