import { translated } from '../language/language.js'

export const credentialsMessages = translated({
  'pt-BR': {
    title: 'Credenciais',
    intro: 'Com elas o servidor da loja assina as requisições à API, e você entra neste painel.',
    store: 'Nome da loja',
    storeId: 'Id da loja',
    secret: 'Chave secreta',
    hidden: 'Não é mostrada. Quem a perdeu pede outra a quem opera o Cofre.',
    newSecret: 'Sua nova chave secreta',
    newSecretText: 'Copie-a e guarde-a no servidor da loja: ela não será mostrada de novo.',
    previous: (until: string) => `A chave anterior ainda assina até ${until}.`,
    rotate: 'Criar outra chave secreta',
    rotateText:
      'A chave atual ainda assina por 24 horas, para você trocá-la na loja sem interrupção. Uma chave anterior a ela deixa de valer agora. Quem mais estiver neste painel terá de entrar de novo.',
    current: 'Chave secreta atual',
    fixed: (variable: string) =>
      `A variável ${variable} fixa a chave desta loja. Mude-a lá, ou remova a variável e reinicie para criar chaves aqui.`,
    confirm: 'Entendo: a loja precisa da nova chave em 24 horas',
  },
  en: {
    title: 'Credentials',
    intro: 'With them the shop’s server signs requests to the API, and you sign in to this panel.',
    store: 'Store name',
    storeId: 'Store id',
    secret: 'Secret key',
    hidden: 'It is not shown. Lost it? Ask the operator for another.',
    newSecret: 'Your new secret key',
    newSecretText: 'Copy it and keep it on the shop’s server: it will not be shown again.',
    previous: (until: string) => `The key before it still signs until ${until}.`,
    rotate: 'Create another secret key',
    rotateText:
      'The current key still signs for 24 hours, so that you can replace it in the shop without interruption. A key before it ends now. Whoever else is in this panel will have to sign in again.',
    current: 'Current secret key',
    fixed: (variable: string) =>
      `The variable ${variable} fixes this store’s key. Change it there, or remove the variable and restart to create keys here.`,
    confirm: 'I understand: the shop needs the new key within 24 hours',
  },
})
