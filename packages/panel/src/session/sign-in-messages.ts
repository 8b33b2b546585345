import { translated } from '../language/language.js'

export const signInMessages = translated({
  'pt-BR': {
    title: 'Entrar',
    intro:
      'O painel mostra o que sua loja faz no sandbox e faz as vezes do banco. Entre com as credenciais da loja de testes.',
    storeId: 'Id da loja',
    secret: 'Chave secreta',
    button: 'Entrar',
    where:
      'Com npm start elas aparecem no terminal. A sessão termina após uma hora sem uso, ou após 12 horas; reiniciar o Cofre não a encerra.',
    expired: 'Sua sessão terminou. Entre de novo para continuar de onde parou.',
    wrong: 'O id da loja ou a chave secreta não confere. Copie os dois de novo, inteiros.',
    locked: (duration: string) =>
      `Cinco tentativas falharam. Para proteger a loja, tente de novo em ${duration}.`,
  },
  en: {
    title: 'Sign in',
    intro:
      'The panel shows what your shop does in the sandbox, and plays the bank. Sign in with the test store’s credentials.',
    storeId: 'Store id',
    secret: 'Secret key',
    button: 'Sign in',
    where:
      'With npm start they are in the terminal. A session ends after an hour without use, or after 12 hours; restarting Cofre does not end it.',
    expired: 'Your session has ended. Sign in again to go on where you were.',
    wrong: 'The store id or the secret key is not right. Copy both again, in full.',
    locked: (duration: string) =>
      `Five attempts have failed. To protect the store, try again in ${duration}.`,
  },
})
