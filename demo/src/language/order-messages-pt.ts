import type { OrderMessages } from './order-messages.js'

export const orderTexts: OrderMessages = {
  title: (code) => `Pedido ${code}`,
  listTitle: 'Meus pedidos',
  listEmpty: {
    title: 'Nenhum pedido ainda',
    text: 'Os pedidos feitos neste navegador aparecem aqui.',
  },
  code: 'Código do pedido',
  reference: 'Referência',
  placedAt: 'Feito em',
  items: 'Itens',
  payment: 'Pagamento',
  paymentNames: { card: 'Cartão de crédito', boleto: 'Boleto', pix: 'PIX' },
  cardEnding: (brand, lastFour) => `${brand} final ${lastFour}`,
  installments: 'Parcelas',
  email: 'E-mail',
  view: 'Acompanhar pedido',
  tryAnotherCard: 'Tentar com outro cartão',
  tryAnotherMethod: 'Escolher como pagar',
  buyAgain: 'Comprar de novo',
  backToCart: 'Ver o carrinho',
  checkAgain: 'Verificar agora',
  cardSaved: 'Seu cartão foi salvo para a próxima compra.',
  history: 'Andamento',
  placed: 'Pedido feito',
  refunds: 'Reembolsos',
  refundStates: {
    PROCESSING: 'Em andamento',
    PROCESSED: 'Concluído',
    REJECTED: 'Não realizado',
  },
  news: 'O pedido mudou',
  copy: {
    button: 'Copiar código',
    done: 'Copiado!',
  },
  pix: {
    title: 'Pague com PIX',
    steps: [
      'Abra o aplicativo do seu banco e escolha PIX.',
      'Aponte a câmera para o código, ou cole o texto abaixo em “PIX copia e cola”.',
      'Confirme. Esta página mostra o pagamento sozinha.',
    ],
    scan: 'Aponte a câmera do app do banco',
    imageText: 'Código QR do PIX deste pedido. O mesmo código está em texto em “PIX copia e cola”.',
    code: 'PIX copia e cola',
    validUntil: (time) => `Válido até ${time}.`,
    remaining: 'Tempo que resta para pagar',
    ended: 'O prazo terminou.',
  },
  boleto: {
    title: 'Pague o boleto',
    dueDate: 'Vencimento:',
    line: 'Linha digitável',
    open: 'Abrir o boleto',
    newTab: '(abre em outra aba)',
    hint: 'Pague pelo aplicativo do banco ou em uma lotérica. A confirmação leva até um dia útil, e esta página mostra quando chegar.',
  },
  wallet: {
    title: (name) => `Conclua no ${name}`,
    text: (name) => `Falta confirmar o pagamento na página do ${name}. Depois você volta para cá.`,
    goOn: (name) => `Continuar no ${name}`,
    leaving: (name) => `Levando você ao ${name}`,
    leavingText: 'Se a página não abrir sozinha, use o botão.',
  },
  panel: {
    text: 'Pague, cancele ou deixe vencer este pedido no',
    link: 'painel de testes',
  },
  states: {
    processing: 'Em processamento',
    unknown: 'Em verificação',
    paid: 'Pago',
    pending: 'Aguardando pagamento',
    review: 'Em análise',
    rejected: 'Recusado',
    cancelled: 'Cancelado',
    expired: 'Expirado',
    unpaid: 'Não pago',
    refunded: 'Reembolsado',
    chargeback: 'Contestado',
  },
  results: {
    processing: {
      title: 'Seu pagamento está sendo processado',
      text: 'Aguarde um instante e verifique de novo. Não pague outra vez.',
    },
    unknown: {
      title: 'Estamos verificando seu pagamento',
      text: 'A resposta do pagamento não chegou até nós. Não pague outra vez: o pedido está guardado e vamos descobrir o que aconteceu.',
    },
    paid: {
      title: 'Pagamento aprovado',
      text: 'Obrigado! Seu pedido está confirmado e já vai ser preparado.',
    },
    pending: {
      title: 'Pedido recebido',
      text: 'Estamos esperando a confirmação do pagamento. Vamos avisar você, e a situação aparece na página do pedido.',
    },
    review: {
      title: 'Pedido em análise',
      text: 'O pagamento está em análise. Vamos avisar você, e a situação aparece na página do pedido.',
    },
    rejected: {
      title: 'Pagamento recusado',
      text: 'O cartão não foi autorizado e nada foi cobrado. Seu carrinho continua guardado: tente com outro cartão.',
    },
    cancelled: {
      title: 'Pedido cancelado',
      text: 'O pagamento foi cancelado e o pedido não será enviado. Se ainda quiser os itens, é só comprar de novo.',
    },
    expired: {
      title: 'O prazo para pagar terminou',
      text: 'O pagamento não foi feito a tempo e o pedido foi encerrado. Nada foi cobrado.',
    },
    unpaid: {
      title: 'Pagamento não confirmado',
      text: 'O banco não confirmou o pagamento e o pedido foi encerrado. Se você pagou, fale com o nosso atendimento.',
    },
    refunded: {
      title: 'Pedido reembolsado',
      text: 'O valor volta pelo mesmo meio do pagamento. No cartão, aparece nas próximas faturas.',
    },
    chargeback: {
      title: 'Pagamento contestado',
      text: 'A compra foi contestada junto ao banco. Fale com o nosso atendimento.',
    },
  },
  waiting: {
    pix: {
      title: 'Falta só o PIX',
      text: 'Seu pedido está reservado. Assim que o PIX cair, ele é confirmado nesta página.',
    },
    boleto: {
      title: 'Seu boleto está pronto',
      text: 'Seu pedido está reservado. Quando o banco confirmar o pagamento, ele segue para o preparo.',
    },
    wallet: {
      title: 'Falta concluir o pagamento',
      text: 'A carteira digital ainda não confirmou o pagamento deste pedido.',
    },
  },
  notStarted: {
    title: 'O pagamento não começou',
    text: 'Não foi possível preparar o pagamento, e nada foi cobrado. Seu carrinho continua guardado: tente de novo ou escolha outra forma de pagar.',
  },
  notStartedState: 'Não iniciado',
  partlyRefunded: {
    title: 'Reembolso de parte do pedido',
    text: 'Uma parte do valor voltou pelo mesmo meio do pagamento. O restante do pedido continua confirmado.',
  },
  partlyRefundedState: 'Reembolsado em parte',
}
