const FORMAT_PT = 'A data tem a forma 2026-11-21T10:15:30.0-03:00.'
const FORMAT_EN = 'The date has the form 2026-11-21T10:15:30.0-03:00.'

const DATES = {
  order: { 'pt-BR': 'criação', en: 'creation' },
  payment: { 'pt-BR': 'pagamento', en: 'payment' },
  last_status_change: { 'pt-BR': 'última mudança de status', en: 'last change of status' },
} as const

type SearchDate = keyof typeof DATES
const PARAMETERS: Readonly<Record<SearchDate, string>> = {
  order: 'order-date',
  payment: 'payment-date',
  last_status_change: 'last-status-change-date',
}

function invalid(end: 'initial' | 'final', date: SearchDate) {
  const parameter = `${end}-${PARAMETERS[date]}`
  return {
    'pt-BR': `${parameter} não vale. ${FORMAT_PT}`,
    en: `${parameter} is not valid. ${FORMAT_EN}`,
  }
}

function mandatory(date: SearchDate) {
  const { 'pt-BR': pt, en } = DATES[date]
  return {
    'pt-BR': `Para limitar o fim da data de ${pt}, diga também o início: initial-${PARAMETERS[date]}.`,
    en: `To limit the end of the date of ${en}, give its beginning too: initial-${PARAMETERS[date]}.`,
  }
}

function notGreater(date: SearchDate) {
  const parameter = PARAMETERS[date]
  return {
    'pt-BR': `final-${parameter} tem de ser depois de initial-${parameter}.`,
    en: `final-${parameter} has to be after initial-${parameter}.`,
  }
}

function exceeded(date: SearchDate) {
  const { 'pt-BR': pt, en } = DATES[date]
  return {
    'pt-BR': `O período da data de ${pt} passa de 30 dias. Busque em pedaços.`,
    en: `The period of the date of ${en} is longer than 30 days. Search in parts.`,
  }
}

/** What is wrong with a search. */
export const searchExplanations = {
  initial_order_date_invalid: invalid('initial', 'order'),
  final_order_date_invalid: invalid('final', 'order'),
  initial_payment_date_invalid: invalid('initial', 'payment'),
  final_payment_date_invalid: invalid('final', 'payment'),
  initial_last_status_change_date_invalid: invalid('initial', 'last_status_change'),
  final_last_status_change_date_invalid: invalid('final', 'last_status_change'),
  initial_order_date_is_mandatory_to_filter_by_final_order_date: mandatory('order'),
  final_order_date_must_be_greater_than_initial_order_date: notGreater('order'),
  initial_payment_date_is_mandatory_to_filter_by_final_payment_date: mandatory('payment'),
  final_payment_date_must_be_greater_than_initial_payment_date: notGreater('payment'),
  initial_last_status_change_date_is_mandatory_to_filter_by_final_last_status_change_date:
    mandatory('last_status_change'),
  final_last_status_change_date_must_be_greater_than_initial_last_status_change_date:
    notGreater('last_status_change'),
  final_order_date_range_exceeded: exceeded('order'),
  final_payment_date_range_exceeded: exceeded('payment'),
  final_last_status_change_date_range_exceeded: exceeded('last_status_change'),
  page_invalid: {
    'pt-BR': 'page é um número inteiro a partir de 1.',
    en: 'page is a whole number from 1.',
  },
  max_page_results_invalid: {
    'pt-BR': 'max-page-results é um número de 1 a 10.',
    en: 'max-page-results is a number from 1 to 10.',
  },
  any_initial_date_is_mandatory_for_multiple_records: {
    'pt-BR':
      'Uma busca de várias transações precisa de uma data inicial: de criação, de pagamento ou de mudança de status.',
    en: 'A search of several transactions needs an initial date: of creation, payment or change of status.',
  },
  status_invalid: {
    'pt-BR': 'status é uma palavra em maiúsculas, como COMPLETE ou NOT-PAID.',
    en: 'status is a word in capitals, such as COMPLETE or NOT-PAID.',
  },
  status_not_exists: {
    'pt-BR': 'Não existe um status com este nome.',
    en: 'There is no status of this name.',
  },
  id_invalid: {
    'pt-BR': 'O código da transação é um número de até 15 dígitos.',
    en: 'A transaction’s code is a number of at most 15 digits.',
  },
  internal_server_error: {
    'pt-BR': 'O serviço falhou. Tente de novo; se persistir, avise o operador.',
    en: 'The service failed. Try again; if it persists, tell the operator.',
  },
  currency_not_accepted: { 'pt-BR': 'Só BRL é aceita.', en: 'Only BRL is accepted.' },
}
