import { translated } from '../language/language.js'

export const transactionListMessages = translated({
  'pt-BR': {
    title: 'Transações',
    filter: {
      title: 'Filtrar transações',
      status: 'Status',
      method: 'Meio',
      from: 'De',
      until: 'Até',
      text: 'Referência, e-mail, descrição ou código',
      any: 'Todos',
      apply: 'Filtrar',
      clear: 'Limpar',
    },
    found: (count: string) => (count === '1' ? '1 transação' : `${count} transações`),
    columns: {
      reference: 'Referência',
      status: 'Status',
      method: 'Meio',
      amount: 'Valor',
      payer: 'Pagador',
      created: 'Criada',
    },
    nothingFound: {
      title: 'Nenhuma transação com esse filtro',
      text: 'Mude o filtro ou limpe-o para ver todas.',
    },
    empty: {
      title: 'Crie a primeira transação',
      text: 'As transações que sua loja criar no sandbox aparecem aqui na hora. Para começar sem escrever código, ponha sua chave secreta na segunda linha e cole tudo em um terminal: cria um PIX, e as notificações dele chegam ao receptor deste painel.',
    },
    demoShop: { text: 'Mais rápido ainda: compre algo na', link: 'loja de demonstração' },
    curl: 'Comandos que criam um PIX',
    yourSecret: 'sua chave secreta',
    emptySignIn: 'Como assinar as requisições em qualquer linguagem está em docs/signing.md.',
  },
  en: {
    title: 'Transactions',
    filter: {
      title: 'Filter transactions',
      status: 'Status',
      method: 'Method',
      from: 'From',
      until: 'Until',
      text: 'Reference, e-mail, description or code',
      any: 'All',
      apply: 'Filter',
      clear: 'Clear',
    },
    found: (count: string) => (count === '1' ? '1 transaction' : `${count} transactions`),
    columns: {
      reference: 'Reference',
      status: 'Status',
      method: 'Method',
      amount: 'Amount',
      payer: 'Payer',
      created: 'Created',
    },
    nothingFound: {
      title: 'No transaction fits this filter',
      text: 'Change the filter, or clear it to see all.',
    },
    empty: {
      title: 'Create the first transaction',
      text: 'Transactions that your shop creates in the sandbox show up here at once. To begin without writing code, put your secret key into the second line and paste all into a terminal: it creates a PIX, whose notifications arrive at this panel’s receiver.',
    },
    demoShop: { text: 'Faster still: buy something in the', link: 'demo shop' },
    curl: 'Commands that create a PIX',
    yourSecret: 'your secret key',
    emptySignIn: 'How to sign requests in any language is in docs/signing.md.',
  },
})
