import { translated } from '../language/language.js'

/** Texts of the frame and of what several pages share. */
export const pageMessages = translated({
  'pt-BR': {
    name: 'Painel de testes',
    sandbox: 'sandbox',
    skipToContent: 'Ir para o conteúdo',
    navigation: 'Páginas do painel',
    groups: { payments: 'Pagamentos', tools: 'Ferramentas de teste', store: 'Loja' },
    pages: {
      transactions: 'Transações',
      notifications: 'Notificações',
      receiver: 'Receptor',
      requests: 'Requisições',
      checklist: 'Roteiro',
      'test-data': 'Dados de teste',
      clock: 'Relógio',
      settlement: 'Liquidação',
      credentials: 'Credenciais',
      reset: 'Apagar dados',
    },
    store: 'Loja',
    signOut: 'Sair',
    otherLanguage: 'English',
    footer: 'Ambiente de testes: nenhum dinheiro se move. Horários de Brasília.',
    stale: 'Há novidades. Atualizar a página',
    signedOut: 'Sua sessão terminou. Entrar de novo',
    copy: 'Copiar',
    copied: 'Copiado',
    notFound: {
      title: 'Página não encontrada',
      text: 'O endereço pode estar errado, ou os dados de teste foram apagados.',
    },
    brokenDown: {
      title: 'Algo deu errado do nosso lado',
      text: 'O erro foi registrado. Tente de novo em instantes; o registro do servidor diz mais.',
    },
    unavailable: {
      title: 'O banco de dados não responde',
      text: 'Nada do que já foi respondido se perdeu. Tente de novo em instantes; o registro do servidor diz mais.',
    },
    formRefused: {
      title: 'O formulário venceu',
      text: 'Ele não veio desta sessão do painel. Volte, recarregue a página e envie de novo.',
    },
    notAForm: {
      title: 'Isso não é um formulário',
      text: 'O envio não pôde ser lido como formulário, ou chegou incompleto. Volte e envie de novo.',
    },
    tooLarge: {
      title: 'O envio é grande demais',
      text: 'Um formulário do painel tem no máximo 64 KiB.',
    },
    toTransactions: 'Ir para as transações',
    previous: 'Anterior',
    next: 'Próxima',
    pagination: 'Páginas da lista',
    pageOf: (page: string, pages: string) => `Página ${page} de ${pages}`,
    none: '–',
    ahead: (duration: string) => `O sandbox está ${duration} adiante`,
  },
  en: {
    name: 'Test panel',
    sandbox: 'sandbox',
    skipToContent: 'Skip to content',
    navigation: 'Pages of the panel',
    groups: { payments: 'Payments', tools: 'Test tools', store: 'Store' },
    pages: {
      transactions: 'Transactions',
      notifications: 'Notifications',
      receiver: 'Receiver',
      requests: 'Requests',
      checklist: 'Checklist',
      'test-data': 'Test data',
      clock: 'Clock',
      settlement: 'Settlement',
      credentials: 'Credentials',
      reset: 'Reset data',
    },
    store: 'Store',
    signOut: 'Sign out',
    otherLanguage: 'Português',
    footer: 'Test environment: no money moves. Times are Brasília’s.',
    stale: 'There is news. Update the page',
    signedOut: 'Your session has ended. Sign in again',
    copy: 'Copy',
    copied: 'Copied',
    notFound: {
      title: 'Page not found',
      text: 'The address may be wrong, or the test data has been reset.',
    },
    brokenDown: {
      title: 'Something broke on our side',
      text: 'The error has been logged. Try again in a moment; the server’s log says more.',
    },
    unavailable: {
      title: 'The database does not answer',
      text: 'Nothing that was answered is lost. Try again in a moment; the server’s log says more.',
    },
    formRefused: {
      title: 'The form has expired',
      text: 'It did not come from this session of the panel. Go back, reload the page and send it again.',
    },
    notAForm: {
      title: 'That is not a form',
      text: 'What was sent could not be read as a form, or came in part only. Go back and send it again.',
    },
    tooLarge: {
      title: 'That is too large',
      text: 'A form of the panel has at most 64 KiB.',
    },
    toTransactions: 'Go to the transactions',
    previous: 'Previous',
    next: 'Next',
    pagination: 'Pages of the list',
    pageOf: (page: string, pages: string) => `Page ${page} of ${pages}`,
    none: '–',
    ahead: (duration: string) => `The sandbox is ${duration} ahead`,
  },
})

/** A page that the navigation leads to. */
export type PageName = keyof (typeof pageMessages)['en']['pages']
