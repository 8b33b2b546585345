import { translated } from '../language/language.js'

export const requestMessages = translated({
  'pt-BR': {
    title: 'Requisições',
    intro:
      'Cada requisição da loja à API do sandbox, como chegou e como foi respondida. Números de cartão, CVVs e tokens são mascarados antes de guardar.',
    failedOnly: 'Só as que falharam',
    all: 'Todas',
    which: 'Quais requisições',
    empty: {
      title: 'Nenhuma requisição ainda',
      text: 'Chame a API do sandbox: cada requisição aparece aqui, com seus erros explicados.',
    },
    noneFailed: {
      title: 'Nenhuma requisição falhou',
      text: 'Quando uma falhar, o motivo estará aqui em palavras.',
    },
    received: 'Recebida',
    answered: 'Respondida',
    transaction: 'Transação',
    at: 'Quando',
    duration: (ms: string) => `${ms} ms`,
    link: 'Endereço desta requisição',
    errors: 'O que deu errado',
    field: 'Campo',
    rule: 'Regra',
    one: (id: number) => `Requisição ${id}`,
    back: 'Todas as requisições',
  },
  en: {
    title: 'Requests',
    intro:
      'Each request of the shop to the sandbox’s API, as it came and as it was answered. Card numbers, CVVs and tokens are masked before they are kept.',
    failedOnly: 'Failed only',
    all: 'All',
    which: 'Which requests',
    empty: {
      title: 'No request yet',
      text: 'Call the sandbox’s API: each request shows up here, with its errors explained.',
    },
    noneFailed: {
      title: 'No request has failed',
      text: 'When one does, the reason will be here in words.',
    },
    received: 'Received',
    answered: 'Answered',
    transaction: 'Transaction',
    at: 'When',
    duration: (ms: string) => `${ms} ms`,
    link: 'Address of this request',
    errors: 'What went wrong',
    field: 'Field',
    rule: 'Rule',
    one: (id: number) => `Request ${id}`,
    back: 'All requests',
  },
})
