/** Refusals of what is well-formed: of payments and refunds. */
export const businessExplanations = {
  transaction_reference_used: {
    'pt-BR': 'A loja já usou esta referência. Busque a transação existente antes de criar outra.',
    en: 'The store has used this reference before. Search the existing transaction before you create another.',
  },
  body_invalid: {
    'pt-BR':
      'O corpo não é um objeto JSON, ou nomeia o cartão duas vezes: token, código e cartão aberto excluem um ao outro.',
    en: 'The body is not a JSON object, or names the card twice: token, code and raw card exclude each other.',
  },
  unavailable_payment_method: {
    'pt-BR': 'A loja não pode usar este meio de pagamento; cartões abertos exigem uma permissão.',
    en: 'The store may not use this payment method; raw cards need a permission.',
  },
  payment_exceed_limits: {
    'pt-BR': 'A compra passa do limite do documento do pagador, normalmente 10.000 BRL.',
    en: 'The purchase exceeds the limit of the payer’s document, usually 10,000 BRL.',
  },
  payer_blacklisted: {
    'pt-BR': 'A análise de risco bloqueou o pagador. Ele deve falar com o atendimento.',
    en: 'The risk analysis has blocked the payer, who should contact customer support.',
  },
  payer_blacklisted_by_psp: {
    'pt-BR': 'O provedor de pagamento bloqueou o pagador. Ele deve falar com o atendimento.',
    en: 'The payment provider has blocked the payer, who should contact customer support.',
  },
  'charge_#_payment_info_code_not_found': {
    'pt-BR':
      'Nenhum cartão salvo ativo tem este código para esta loja e este e-mail. No sandbox só vale o código fixo.',
    en: 'No active saved card has this code for this store and this e-mail. In the sandbox only the fixed code works.',
  },
  refund_internal_server_error: {
    'pt-BR':
      'O serviço falhou ao tratar o reembolso. Tente de novo; se persistir, avise o operador.',
    en: 'The service failed to handle the refund. Try again; if it persists, tell the operator.',
  },
  partner_not_found: {
    'pt-BR': 'Este ambiente não conhece a loja.',
    en: 'This environment does not know the store.',
  },
  payment_does_not_accept_refund: {
    'pt-BR': 'O meio de pagamento desta transação não aceita reembolsos.',
    en: 'The payment method of this transaction does not accept refunds.',
  },
  refund_already_requested: {
    'pt-BR': 'Um reembolso desta transação ainda está em processamento. Espere que termine.',
    en: 'A refund of this transaction is still in process. Wait until it ends.',
  },
  refund_amount_is_greater_than_limit: {
    'pt-BR': 'Com os reembolsos já pedidos, o valor passa do valor da transação.',
    en: 'With the refunds already asked for, the amount exceeds the transaction’s.',
  },
  refund_amount_is_greater_than_transaction: {
    'pt-BR': 'O valor pedido passa do valor da transação.',
    en: 'The amount asked for exceeds the transaction’s.',
  },
  refund_not_found: { 'pt-BR': 'O reembolso não existe.', en: 'The refund does not exist.' },
  service_refund_access_not_authorized: {
    'pt-BR': 'A loja não pode pedir reembolsos.',
    en: 'The store may not ask for refunds.',
  },
  transaction_is_reseller: {
    'pt-BR': 'A categoria da loja não permite reembolsos.',
    en: 'The store’s category does not allow refunds.',
  },
  transaction_not_found: {
    'pt-BR': 'A loja não tem transação com este código neste ambiente.',
    en: 'The store has no transaction of this code in this environment.',
  },
  transaction_status_not_accept_refund: {
    'pt-BR': 'Só se reembolsa uma transação paga (COMPLETE, ou REFUNDED em parte).',
    en: 'Only a paid transaction (COMPLETE, or partly REFUNDED) can be refunded.',
  },
  expired_refund_request: {
    'pt-BR': 'O prazo passou: 360 dias no cartão, 90 nos outros meios.',
    en: 'The deadline has passed: 360 days by card, 90 by the other methods.',
  },
  partial_refund_not_allowed: {
    'pt-BR': 'A loja só pode reembolsar o valor inteiro.',
    en: 'The store may only refund the whole amount.',
  },
  unknown_error: {
    'pt-BR': 'O serviço falhou de um modo que não reconhece. Avise o operador.',
    en: 'The service failed in a way it does not recognise. Tell the operator.',
  },
  refund_invalid: {
    'pt-BR': 'Um campo de POST /refunds falta ou não vale: veja o campo e a regra ao lado do erro.',
    en: 'A field of POST /refunds is missing or not valid: see the field and the rule beside the error.',
  },
}
