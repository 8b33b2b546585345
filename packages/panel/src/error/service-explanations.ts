/** Failures of the transport, of the vault's public routes and of the sandbox's controls. */
export const serviceExplanations = {
  route_not_found: {
    'pt-BR': 'Não há nada neste endereço. Confira o caminho e o ambiente.',
    en: 'There is nothing at this address. Check the path and the environment.',
  },
  method_not_allowed: {
    'pt-BR': 'O endereço existe, mas não aceita este método HTTP.',
    en: 'The address exists but does not take this HTTP method.',
  },
  body_too_large: {
    'pt-BR': 'O corpo é grande demais.',
    en: 'The body is too large.',
  },
  too_many_requests: {
    'pt-BR': 'Requisições demais. Espere o tempo que Retry-After diz.',
    en: 'Too many requests. Wait as long as Retry-After says.',
  },
  service_unavailable: {
    'pt-BR': 'Uma parte do serviço não responde. Tente de novo em instantes.',
    en: 'A part of the service does not answer. Try again in a moment.',
  },
  request_malformed: {
    'pt-BR': 'Isso não é uma requisição HTTP bem-formada.',
    en: 'This is not a well-formed HTTP request.',
  },
  request_timeout: {
    'pt-BR':
      'A requisição não chegou inteira em 30 segundos. Confira a rede e se o tamanho em Content-Length é o do corpo.',
    en: 'The request did not arrive whole within 30 seconds. Check the network, and that Content-Length is the length of the body.',
  },
  headers_too_large: {
    'pt-BR': 'Os cabeçalhos são grandes demais.',
    en: 'The headers are too large.',
  },
  idempotency_key_invalid: {
    'pt-BR': 'Idempotency-Key tem de 1 a 255 caracteres visíveis, sem espaços.',
    en: 'Idempotency-Key has 1 to 255 visible characters, without spaces.',
  },
  idempotency_key_reused: {
    'pt-BR': 'Esta Idempotency-Key já veio com outro corpo. Use uma chave por pedido.',
    en: 'This Idempotency-Key came with another body before. Use one key an order.',
  },
  idempotency_key_in_progress: {
    'pt-BR': 'A primeira requisição com esta Idempotency-Key ainda está em andamento.',
    en: 'The first request with this Idempotency-Key is still being handled.',
  },
  host_not_accepted: {
    'pt-BR':
      'Esta porta atende só a própria máquina, e o cabeçalho Host traz outro nome. Use localhost, ou o endereço público que foi configurado.',
    en: 'This port serves its own machine alone, and the Host header has another name. Use localhost, or the public URL that was configured.',
  },
  session_not_found: {
    'pt-BR': 'A sessão da biblioteca do navegador venceu. Ela abre outra sozinha.',
    en: 'The browser library’s session has expired. It opens another by itself.',
  },
  direct_token_invalid: {
    'pt-BR': 'O token direto não se deixa abrir: foi alterado ou já foi depositado.',
    en: 'The direct token cannot be opened: it was changed, or deposited before.',
  },
  card_invalid: {
    'pt-BR': 'Os dados do cartão não são válidos.',
    en: 'The card’s details are not valid.',
  },
  service_not_authenticated: {
    'pt-BR':
      'A assinatura entre o gateway e o cofre de cartões não confere. Avise o operador: as chaves de serviço ou os relógios diferem.',
    en: 'The signature between gateway and vault does not match. Tell the operator: service keys or clocks differ.',
  },
  service_request_invalid: {
    'pt-BR':
      'O gateway e o cofre de cartões não se entendem. Avise o operador: as versões podem diferir.',
    en: 'Gateway and vault do not understand each other. Tell the operator: their versions may differ.',
  },
  sandbox_request_invalid: {
    'pt-BR': 'Um campo deste controle do sandbox falta ou não vale: veja o campo ao lado do erro.',
    en: 'A field of this control of the sandbox is missing or not valid: see the field beside the error.',
  },
  status_change_not_allowed: {
    'pt-BR': 'A transação não pode passar do status atual para o pedido.',
    en: 'The transaction cannot go from its status to the one asked for.',
  },
}
