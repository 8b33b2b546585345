import type { ChecklistStep } from '@cofre/sandbox'
import { translated } from '../language/language.js'

interface StepText {
  readonly title: string
  readonly hint: string
}
type Steps = Readonly<Record<ChecklistStep, StepText>>

const stepsPt: Steps = {
  'card-paid': {
    title: 'Cartão aprovado',
    hint: 'Pague com um token do cartão 4111 1111 1111 1111.',
  },
  'card-declined': {
    title: 'Cartão recusado',
    hint: 'Pague com o cartão 4000 0000 0000 0002 e diga ao comprador que tente outro.',
  },
  'card-saved-used': {
    title: 'Cartão salvo usado',
    hint: 'Salve um cartão com save: true e pague de novo com o código que a resposta traz.',
  },
  'boleto-created': {
    title: 'Boleto criado',
    hint: 'Cobre com type: postpay, sub-type: boleto, e mostre payment-url ao comprador.',
  },
  'boleto-paid': {
    title: 'Boleto pago',
    hint: 'Abra o boleto nas transações, escolha COMPLETE e notifique.',
  },
  'pix-created': {
    title: 'PIX criado',
    hint: 'Cobre com type: eft, sub-type: pix, e mostre o código e a imagem.',
  },
  'pix-paid': {
    title: 'PIX pago',
    hint: 'Abra o PIX nas transações, escolha COMPLETE e notifique.',
  },
  'wallet-paid': {
    title: 'Carteira paga',
    hint: 'Cobre com type: e-wallet, leve o comprador a payment-url e pague na página.',
  },
  'installments-looked-up': {
    title: 'Parcelas consultadas',
    hint: 'Pergunte as parcelas à consulta de cartão antes de mostrar o checkout.',
  },
  'refund-processed': {
    title: 'Reembolso concluído',
    hint: 'Peça POST /refunds de uma transação paga.',
  },
  'refund-rejected': {
    title: 'Reembolso recusado',
    hint: 'Peça um reembolso com a palavra reject em reference, ou ponha-os à mão em Liquidação e escolha Falha.',
  },
  'notification-acknowledged': {
    title: 'Notificação confirmada',
    hint: 'Responda 200 a uma notificação; o receptor deste painel também o faz.',
  },
  'search-after-notification': {
    title: 'Transação consultada depois da notificação',
    hint: 'Ao receber uma notificação, busque GET /transactions/{código} e aja pelo status.',
  },
  'error-handled': {
    title: 'Erro tratado',
    hint: 'Envie um campo errado, leia o erro nas requisições e mande o pedido certo.',
  },
}

const stepsEn: Steps = {
  'card-paid': {
    title: 'Card approved',
    hint: 'Pay with a token of the card 4111 1111 1111 1111.',
  },
  'card-declined': {
    title: 'Card declined',
    hint: 'Pay with the card 4000 0000 0000 0002, and tell the shopper to try another.',
  },
  'card-saved-used': {
    title: 'Saved card used',
    hint: 'Save a card with save: true and pay again with the code that the answer has.',
  },
  'boleto-created': {
    title: 'Boleto created',
    hint: 'Charge with type: postpay, sub-type: boleto, and show the shopper the payment-url.',
  },
  'boleto-paid': {
    title: 'Boleto paid',
    hint: 'Open the boleto among the transactions, choose COMPLETE and notify.',
  },
  'pix-created': {
    title: 'PIX created',
    hint: 'Charge with type: eft, sub-type: pix, and show the code and the picture.',
  },
  'pix-paid': {
    title: 'PIX paid',
    hint: 'Open the PIX among the transactions, choose COMPLETE and notify.',
  },
  'wallet-paid': {
    title: 'Wallet paid',
    hint: 'Charge with type: e-wallet, lead the shopper to payment-url and pay on the page.',
  },
  'installments-looked-up': {
    title: 'Installments looked up',
    hint: 'Ask the card lookup for the installments before you show the checkout.',
  },
  'refund-processed': {
    title: 'Refund processed',
    hint: 'Ask for POST /refunds of a paid transaction.',
  },
  'refund-rejected': {
    title: 'Refund rejected',
    hint: 'Ask for a refund with the word reject in its reference, or put them by hand under Settlement and choose Failure.',
  },
  'notification-acknowledged': {
    title: 'Notification acknowledged',
    hint: 'Answer a notification with 200; this panel’s receiver does so too.',
  },
  'search-after-notification': {
    title: 'Transaction searched after the notification',
    hint: 'When a notification arrives, get GET /transactions/{code} and act on its status.',
  },
  'error-handled': {
    title: 'Error handled',
    hint: 'Send a wrong field, read the error among the requests and send the right order.',
  },
}

export const checklistMessages = translated({
  'pt-BR': {
    title: 'Roteiro',
    intro: 'Cada passo se marca sozinho quando o sandbox o vê acontecer.',
    progress: (done: number, all: number) => `${done} de ${all} passos`,
    done: 'feito',
    toDo: 'por fazer',
    steps: stepsPt,
  },
  en: {
    title: 'Checklist',
    intro: 'Each step ticks itself when the sandbox sees it happen.',
    progress: (done: number, all: number) => `${done} of ${all} steps`,
    done: 'done',
    toDo: 'to do',
    steps: stepsEn,
  },
})
