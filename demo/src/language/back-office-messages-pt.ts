import type { BackOfficeMessages } from './back-office-messages.js'

export const backOfficeTexts: BackOfficeMessages = {
  title: 'Bastidores da loja',
  openNote:
    'Esta página está aberta a quem alcança a loja de demonstração: não a publique. Numa loja de verdade, ela pede senha.',
  found: (count) => (count === 1 ? '1 pedido' : `${count} pedidos`),
  empty: 'Nenhum pedido ainda. Faça uma compra na loja e ela aparece aqui.',
  pages: 'Páginas de pedidos',
  page: (page, pages) => `Página ${page} de ${pages}`,
  newer: 'Mais novos',
  older: 'Mais antigos',
  meanings: {
    processing: 'O serviço de pagamento está sendo consultado. Espere antes de separar o pedido.',
    unknown: 'A resposta do serviço não chegou. Não separe o pedido: a situação será verificada.',
    paid: 'Pago e aprovado. Separe e envie o pedido.',
    pending: 'O pagamento ainda não chegou. Não envie o pedido.',
    review: 'Em análise antifraude. Espere a aprovação antes de enviar.',
    rejected: 'O pagamento não foi aceito. Nada a enviar.',
    cancelled: 'O pagamento foi cancelado. Nada a enviar.',
    expired: 'O prazo do pagamento terminou. Nada a enviar.',
    unpaid: 'O banco não confirmou o pagamento. Nada a enviar.',
    refunded: 'O cliente recebeu dinheiro de volta; veja os reembolsos.',
    chargeback: 'O cliente contestou a compra. Junte os comprovantes de entrega.',
  },
  notCurrent:
    'O serviço de pagamento não respondeu. Esta é a última situação conhecida; recarregue a página em instantes.',
  refunds: 'Reembolso',
  refundRunning: 'Há um reembolso em andamento. O resultado aparece aqui quando chegar.',
  nothingLeft: 'Não há mais nada a reembolsar.',
  notRefundable: 'Só um pedido pago pode ser reembolsado.',
  extent: 'Quanto reembolsar',
  everything: (amount) => `Tudo: ${amount}`,
  partly: 'Só uma parte',
  amount: 'Valor da parte',
  amountHint: 'Em reais, como 12,50. Vale só para o reembolso de uma parte.',
  reference: 'Motivo ou referência (opcional)',
  referenceHint:
    'Até 64 caracteres. No banco de testes, um texto com “reject” faz o reembolso falhar.',
  refund: 'Reembolsar',
  problemTitle: 'O reembolso não foi pedido',
  problems: {
    amount_invalid: 'Digite um valor em reais acima de zero, como 12,50.',
    amount_too_high: 'O valor é maior do que o que resta deste pedido.',
    reference_too_long: 'Escreva o motivo com até 64 caracteres.',
    reference_used:
      'Um reembolso deste pedido já tem este motivo. Escreva outro, como “quebrado, segunda parte”.',
    already_running: 'Já há um reembolso deste pedido em andamento. Espere ele terminar.',
    method_refuses: 'Esta forma de pagamento não aceita reembolso. Devolva o valor por outro meio.',
    not_allowed: 'Esta loja não pode pedir reembolsos. Fale com o seu gerente de conta.',
    not_found: 'O serviço de pagamento não conhece este pedido.',
    not_paid: 'Só um pedido pago pode ser reembolsado. Veja a situação do pedido.',
    too_late: 'O prazo para reembolsar este pedido terminou.',
    whole_amount_only: 'Esta loja só pode reembolsar o valor inteiro.',
    invalid:
      'O serviço de pagamento não aceitou o pedido de reembolso. Confira o valor e o motivo.',
    try_later: 'O serviço de pagamento não aceitou o reembolso agora. Tente mais tarde.',
    outcome_unknown:
      'A resposta não chegou, e o reembolso pode ter sido pedido. Envie de novo este formulário: o mesmo reembolso nunca é feito duas vezes.',
  },
}
