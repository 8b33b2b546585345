// Meaning and advice of every error that is not of a field of POST /transactions: by name, in English and in Portuguese.
const ACCEPT = [
  'Send `application/vnd.cofre.v2+json; charset=UTF-8` to create, `v1` to look up and search.',
  'Envie `application/vnd.cofre.v2+json; charset=UTF-8` para criar, `v1` para consultar e buscar.',
]
const SIGN = ['See [signing](signing.md).', 'Veja [assinatura](signing.md).']
const JSON_ONLY = [
  'Send `application/json`, on searches too.',
  'Envie `application/json`, também nas buscas.',
]
const TIME = [
  'A time like `2026-11-21T00:00:00.0-03:00`, with the `+` of a zone escaped as `%2B`.',
  'Um horário como `2026-11-21T00:00:00.0-03:00`, com o `+` do fuso escrito como `%2B`.',
]
const RANGE = ['Ask for at most 30 days at a time.', 'Peça no máximo 30 dias por vez.']
const LATER = [
  'Make the final date later than the initial one.',
  'Use uma data final posterior à inicial.',
]
const NEVER = ['This service never answers it.', 'Este serviço nunca o responde.']
const SERVER = [
  'Ask again later. After a creation the outcome is unknown: send the same request with the same `Idempotency-Key`.',
  'Tente mais tarde. Depois de uma criação o resultado é desconhecido: envie o mesmo pedido com a mesma `Idempotency-Key`.',
]
const OPERATOR = ['Ask whoever runs the service.', 'Fale com quem opera o serviço.']
const GATEWAY = [
  'Between gateway and vault: the operator reads the vault’s log.',
  'Entre gateway e cofre: quem opera lê o log do cofre.',
]

/** `name: [meaning, advice, meaning in Portuguese, advice in Portuguese]` of a query parameter. */
function parameter(name, rule) {
  const [advice, conselho] = rule
  return {
    missing: [`\`${name}\` is missing.`, 'Send it.', `Falta \`${name}\`.`, 'Envie.'],
    invalid: [`\`${name}\` is not valid.`, advice, `\`${name}\` não é válido.`, conselho],
  }
}

const LOOKUP = Object.fromEntries(
  [
    [
      'bin',
      [
        'The first six digits of a card of a brand that is accepted.',
        'Os seis primeiros dígitos de um cartão de bandeira aceita.',
      ],
    ],
    [
      'brand',
      ['A brand that the bin lookup answers.', 'Uma bandeira que a consulta do bin responde.'],
    ],
    ['country', ['Only `BR`.', 'Somente `BR`.']],
    [
      'amount',
      ['At least 0.01, at most two decimals.', 'No mínimo 0.01, no máximo duas casas decimais.'],
    ],
    ['currency', ['Only `BRL`.', 'Somente `BRL`.']],
  ].flatMap(([name, rule]) => {
    const { missing, invalid } = parameter(name, rule)
    return [
      [`${name}_missing`, missing],
      [`${name}_invalid`, invalid],
    ]
  }),
)

const SEARCH_DATES = Object.fromEntries(
  ['order', 'payment', 'last-status-change'].flatMap((date) => {
    const [initial, final] = [`initial-${date}-date`, `final-${date}-date`]
    const key = date.replaceAll('-', '_')
    return [
      [`initial_${key}_date_invalid`, parameter(initial, TIME).invalid],
      [`final_${key}_date_invalid`, parameter(final, TIME).invalid],
      [
        `initial_${key}_date_is_mandatory_to_filter_by_final_${key}_date`,
        [
          `\`${final}\` came alone.`,
          `Send \`${initial}\` too.`,
          `\`${final}\` veio sozinha.`,
          `Envie também \`${initial}\`.`,
        ],
      ],
      [
        `final_${key}_date_must_be_greater_than_initial_${key}_date`,
        [
          `\`${final}\` is not after \`${initial}\`.`,
          LATER[0],
          `\`${final}\` não vem depois de \`${initial}\`.`,
          LATER[1],
        ],
      ],
      [
        `final_${key}_date_range_exceeded`,
        [
          `More than 30 days lie between \`${initial}\` and \`${final}\`.`,
          RANGE[0],
          `Há mais de 30 dias entre \`${initial}\` e \`${final}\`.`,
          RANGE[1],
        ],
      ],
    ]
  }),
)

/** Puts two languages' halves together. */
const text = (meaning, significado, [advice, conselho]) => [meaning, advice, significado, conselho]

export const ERROR_TEXTS = {
  header_authorization_missing: text(
    'There is no `Authorization`.',
    'Não há `Authorization`.',
    SIGN,
  ),
  header_authorization_bad_format: text(
    '`Authorization` is not `<store id>:<hmac>` with 64 hexadecimal digits.',
    '`Authorization` não é `<id da loja>:<hmac>` com 64 dígitos hexadecimais.',
    SIGN,
  ),
  header_authorization_invalid: text(
    'The store is unknown or disabled, or the signature is not that of this request.',
    'A loja é desconhecida ou está desativada, ou a assinatura não é a deste pedido.',
    [
      'Sign the exact bytes that you send, and compare with the [known answers](signing.md#known-answers). Is it the right environment’s store?',
      'Assine exatamente os bytes enviados e compare com as [respostas conhecidas](signing.md#respostas-conhecidas). A loja é deste ambiente?',
    ],
  ),
  header_accept_missing: text('There is no `Accept`.', 'Não há `Accept`.', ACCEPT),
  header_accept_application_missing: text(
    '`Accept` names no media type.',
    '`Accept` não traz um tipo de mídia.',
    ACCEPT,
  ),
  header_accept_bad_format: text('`Accept` cannot be read.', '`Accept` não pode ser lido.', ACCEPT),
  header_accept_format_missing: text(
    '`Accept` lacks `+json`.',
    'Falta `+json` em `Accept`.',
    ACCEPT,
  ),
  header_accept_charset_missing: text(
    '`Accept` lacks `charset`.',
    'Falta `charset` em `Accept`.',
    ACCEPT,
  ),
  header_accept_application_invalid: text(
    '`Accept` names another media type.',
    '`Accept` traz outro tipo de mídia.',
    ACCEPT,
  ),
  header_accept_format_invalid: text(
    '`Accept` asks for another format than JSON.',
    '`Accept` pede outro formato que não JSON.',
    ACCEPT,
  ),
  header_accept_charset_invalid: text(
    '`Accept` asks for another charset than UTF-8.',
    '`Accept` pede outro charset que não UTF-8.',
    ACCEPT,
  ),
  header_accept_version_invalid: text(
    '`Accept` asks for a version that this interface does not have.',
    '`Accept` pede uma versão que esta interface não tem.',
    ACCEPT,
  ),
  header_contenttype_missing: text(
    'There is no `Content-Type`.',
    'Não há `Content-Type`.',
    JSON_ONLY,
  ),
  header_contenttype_not_accepted: text(
    'The body is not announced as JSON in UTF-8.',
    'O corpo não é anunciado como JSON em UTF-8.',
    JSON_ONLY,
  ),
  header_language_not_accepted: text(
    'None of the languages in `Accept-Language` is known.',
    'Nenhum dos idiomas em `Accept-Language` é conhecido.',
    [
      'Leave the header out, or send `pt-BR` or `en-US`.',
      'Não envie o cabeçalho, ou envie `pt-BR` ou `en-US`.',
    ],
  ),
  ...LOOKUP,
  transaction_reference_used: text(
    'The reference belongs to another transaction of the store.',
    'A referência já é de outra transação da loja.',
    [
      'Search before you charge again; use a new reference for a new order only.',
      'Busque antes de cobrar de novo; use outra referência somente para outro pedido.',
    ],
  ),
  charge_payments_amount_sum_invalid: text(
    '`charge[0].amount` is not the cart’s value plus `shipping.cost`.',
    '`charge[0].amount` não é o valor do carrinho mais `shipping.cost`.',
    [
      'Sum quantity × unit-price, round once to centavos, add the shipping.',
      'Some quantity × unit-price, arredonde uma vez para centavos, some o frete.',
    ],
  ),
  unavailable_payment_method: text(
    'The store may not use this method, for example raw cards.',
    'A loja não pode usar este meio, por exemplo cartões abertos.',
    OPERATOR,
  ),
  payment_exceed_limits: text(
    'The payer’s document would exceed the purchase limit (10,000.00 unless configured otherwise).',
    'O documento do pagador passaria do limite de compras (10.000,00, salvo outra configuração).',
    ['Offer a smaller amount, or another payer.', 'Ofereça um valor menor, ou outro pagador.'],
  ),
  payer_blacklisted: text(
    'The operator has blocked this payer.',
    'Quem opera bloqueou este pagador.',
    OPERATOR,
  ),
  payer_blacklisted_by_psp: text(
    'The payment provider has blocked this payer.',
    'O provedor de pagamento bloqueou este pagador.',
    OPERATOR,
  ),
  'charge_#_payment_info_code_not_found': text(
    'No usable saved card has this code for this store and this e-mail, or its first transaction is not COMPLETE yet.',
    'Nenhum cartão salvo utilizável tem este código para esta loja e este e-mail, ou a primeira transação ainda não está COMPLETE.',
    [
      'Send the e-mail that saved the card, or ask for the card again.',
      'Envie o e-mail que salvou o cartão, ou peça o cartão outra vez.',
    ],
  ),
  body_invalid: text(
    'The body is not JSON, or has two sources of the card.',
    'O corpo não é JSON, ou traz duas origens do cartão.',
    [
      'Send one JSON object with one of `token`, `code`, `credit-card`.',
      'Envie um objeto JSON com apenas um entre `token`, `code`, `credit-card`.',
    ],
  ),
  ...SEARCH_DATES,
  page_invalid: parameter('page', ['A number from 1.', 'Um número a partir de 1.']).invalid,
  max_page_results_invalid: parameter('max-page-results', ['1 to 10.', 'De 1 a 10.']).invalid,
  any_initial_date_is_mandatory_for_multiple_records: text(
    'A list was asked for without an initial date.',
    'Uma lista foi pedida sem data inicial.',
    [
      'Send one of the three initial dates, or a transaction’s code in the path.',
      'Envie uma das três datas iniciais, ou o código da transação no caminho.',
    ],
  ),
  status_invalid: parameter('status', [
    'Capital letters with dashes, like `NOT-PAID`.',
    'Letras maiúsculas com hífens, como `NOT-PAID`.',
  ]).invalid,
  status_not_exists: text('There is no such status.', 'Não existe tal status.', [
    'See [statuses](payments.md#statuses).',
    'Veja os [status](payments.md#status).',
  ]),
  id_invalid: text(
    'The code in the path cannot be a transaction’s.',
    'O código no caminho não pode ser de uma transação.',
    [
      'Send the code as it was answered: at most 15 digits.',
      'Envie o código como foi respondido: no máximo 15 dígitos.',
    ],
  ),
  internal_server_error: text(
    'Something failed inside the service.',
    'Algo falhou dentro do serviço.',
    SERVER,
  ),
  currency_not_accepted: text('The currency is not accepted.', 'A moeda não é aceita.', NEVER),
  refund_internal_server_error: text(
    'Something failed inside the service while a refund was asked for.',
    'Algo falhou dentro do serviço ao pedir um reembolso.',
    SERVER,
  ),
  partner_not_found: text(
    '`test-mode` is 1 and the sandbox does not know the store.',
    '`test-mode` é 1 e o sandbox não conhece a loja.',
    OPERATOR,
  ),
  payment_does_not_accept_refund: text(
    'The method of this payment cannot be refunded.',
    'O meio deste pagamento não pode ser reembolsado.',
    ['Pay the shopper back another way.', 'Devolva o dinheiro de outra forma.'],
  ),
  refund_already_requested: text(
    'A refund of the transaction is in process.',
    'Há um reembolso da transação em andamento.',
    ['Wait for its notification.', 'Espere a notificação dele.'],
  ),
  refund_amount_is_greater_than_limit: text(
    'With the refunds before it, the amount exceeds the transaction.',
    'Com os reembolsos anteriores, o valor passa do da transação.',
    ['Search for what is left.', 'Busque quanto resta.'],
  ),
  refund_amount_is_greater_than_transaction: text(
    'The amount exceeds the transaction.',
    'O valor passa do da transação.',
    ['Ask for less.', 'Peça menos.'],
  ),
  refund_not_found: text('There is no such refund.', 'Não existe tal reembolso.', NEVER),
  service_refund_access_not_authorized: text(
    'The store may not refund.',
    'A loja não pode reembolsar.',
    OPERATOR,
  ),
  transaction_is_reseller: text(
    'The store’s category does not allow refunds.',
    'A categoria da loja não permite reembolsos.',
    OPERATOR,
  ),
  transaction_not_found: text(
    'The store has no such transaction in this environment.',
    'A loja não tem tal transação neste ambiente.',
    ['Check code and environment.', 'Confira o código e o ambiente.'],
  ),
  transaction_status_not_accept_refund: text(
    'The transaction is not COMPLETE, or nothing is left of it.',
    'A transação não está COMPLETE, ou nada resta dela.',
    ['Search for its status.', 'Busque o status.'],
  ),
  expired_refund_request: text(
    'The time for refunds is over: 360 days by card, 90 otherwise.',
    'O prazo de reembolso acabou: 360 dias no cartão, 90 nos demais.',
    ['Pay the shopper back another way.', 'Devolva o dinheiro de outra forma.'],
  ),
  partial_refund_not_allowed: text(
    'The store may refund whole transactions only.',
    'A loja só pode reembolsar transações inteiras.',
    ['Leave `amount` out.', 'Não envie `amount`.'],
  ),
  unknown_error: text('An unknown failure.', 'Uma falha desconhecida.', NEVER),
  refund_invalid: text(
    'A property of the refund is missing or wrong: see `property` and `constraint`.',
    'Uma propriedade do reembolso falta ou está errada: veja `property` e `constraint`.',
    [
      'See [refunds](search-and-refunds.md#refunds).',
      'Veja [reembolsos](search-and-refunds.md#reembolsos).',
    ],
  ),
  route_not_found: text('There is no such path.', 'Não existe tal caminho.', [
    'Check path and port.',
    'Confira o caminho e a porta.',
  ]),
  method_not_allowed: text(
    'The path does not take this method.',
    'O caminho não aceita este método.',
    ['See `Allow` of the answer.', 'Veja `Allow` na resposta.'],
  ),
  body_too_large: text('The body is too large.', 'O corpo é grande demais.', [
    'Send fewer or shorter cart items.',
    'Envie menos itens, ou itens mais curtos.',
  ]),
  too_many_requests: text(
    'Too many requests from this store or address.',
    'Pedidos demais desta loja ou deste endereço.',
    [
      'Wait as many seconds as `Retry-After` says.',
      'Espere os segundos que `Retry-After` informa.',
    ],
  ),
  service_unavailable: text(
    'The service cannot do it now: the vault, the database or a provider does not answer, or a disk is full. As a rule nothing was begun; a database that is lost in the middle of a creation leaves its outcome unknown.',
    'O serviço não pode fazê-lo agora: o cofre, o banco de dados ou um provedor não responde, ou um disco está cheio. Em regra nada foi iniciado; um banco de dados que cai no meio de uma criação deixa o resultado desconhecido.',
    [
      'Send the same request again after the seconds in `Retry-After`, with the same reference and `Idempotency-Key`. If the reference is then used, search for the transaction.',
      'Envie o mesmo pedido de novo depois dos segundos em `Retry-After`, com a mesma referência e a mesma `Idempotency-Key`. Se a referência já estiver em uso, busque a transação.',
    ],
  ),
  request_malformed: text('What arrived is not HTTP.', 'O que chegou não é HTTP.', [
    'Look at your proxy or client.',
    'Verifique seu proxy ou cliente.',
  ]),
  headers_too_large: text('The headers are too large.', 'Os cabeçalhos são grandes demais.', [
    'Do not pass cookies on.',
    'Não repasse cookies.',
  ]),
  request_timeout: text('The request did not arrive in time.', 'O pedido não chegou a tempo.', [
    'Send it again; look at the connection.',
    'Envie de novo; verifique a conexão.',
  ]),
  idempotency_key_invalid: text(
    '`Idempotency-Key` is empty, too long, or has unusual characters.',
    '`Idempotency-Key` está vazia, é longa demais ou tem caracteres incomuns.',
    ['Send your order’s reference or a UUID.', 'Envie a referência do pedido ou um UUID.'],
  ),
  idempotency_key_reused: text(
    'The key came with another body before.',
    'A chave já veio com outro corpo.',
    ['Use one key for one request.', 'Use uma chave para um pedido.'],
  ),
  idempotency_key_in_progress: text(
    'The first request with this key is not answered yet.',
    'O primeiro pedido com esta chave ainda não foi respondido.',
    ['Ask again in a few seconds.', 'Tente de novo em alguns segundos.'],
  ),
  host_not_accepted: text(
    'The port is bound to loopback, and `Host` is neither a loopback name nor the host of its public URL.',
    'A porta está só em loopback, e `Host` não é nem um nome de loopback nem o do endereço público dela.',
    [
      'Ask `localhost`; or set `COFRE_PUBLIC_API_URL` (`_SANDBOX_`, `_VAULT_`, `_PANEL_`) to the origin that clients use, and let your proxy pass `Host` on.',
      'Chame `localhost`; ou ponha em `COFRE_PUBLIC_API_URL` (`_SANDBOX_`, `_VAULT_`, `_PANEL_`) a origem que os clientes usam, e faça o proxy repassar `Host`.',
    ],
  ),
  session_not_found: text('The session of the page is over.', 'A sessão da página acabou.', [
    'The library opens another by itself.',
    'A biblioteca abre outra sozinha.',
  ]),
  direct_token_invalid: text(
    'The vault cannot open the token.',
    'O cofre não consegue abrir o token.',
    [
      'Load the library from the vault that it talks to.',
      'Carregue a biblioteca do cofre com o qual ela fala.',
    ],
  ),
  card_invalid: text('The card is not valid.', 'O cartão não é válido.', [
    'Ask the shopper to check it.',
    'Peça a quem compra que o confira.',
  ]),
  sandbox_request_invalid: text(
    'A request to the sandbox’s controls is not valid.',
    'Um pedido aos controles do sandbox não é válido.',
    ['See `property` and `constraint`.', 'Veja `property` e `constraint`.'],
  ),
  status_change_not_allowed: text(
    'The test transaction cannot come to this status from the one it has.',
    'A transação de teste não pode chegar a este status a partir do atual.',
    ['See [statuses](payments.md#statuses).', 'Veja os [status](payments.md#status).'],
  ),
  service_not_authenticated: text(
    'The vault does not believe this gateway.',
    'O cofre não acredita neste gateway.',
    GATEWAY,
  ),
  service_request_invalid: text(
    'The vault cannot read this gateway’s message.',
    'O cofre não consegue ler a mensagem deste gateway.',
    GATEWAY,
  ),
}
