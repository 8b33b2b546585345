const ACCEPT_PT =
  'O cabeçalho Accept tem a forma application/vnd.<fornecedor>.v2+json; charset=UTF-8 (v1 em consultas e buscas).'
const ACCEPT_EN =
  'The Accept header has the form application/vnd.<vendor>.v2+json; charset=UTF-8 (v1 for lookups and searches).'

function accept(pt: string, en: string) {
  return { 'pt-BR': `${pt} ${ACCEPT_PT}`, en: `${en} ${ACCEPT_EN}` }
}

/** What is wrong with a request's headers. */
export const headerExplanations = {
  header_authorization_missing: {
    'pt-BR': 'Falta o cabeçalho Authorization: <id da loja>:<assinatura>. Veja docs/signing.md.',
    en: 'The header Authorization: <store id>:<signature> is missing. See docs/signing.md.',
  },
  header_authorization_bad_format: {
    'pt-BR':
      'Authorization tem de ser o id da loja, dois-pontos e a assinatura em hexadecimal minúsculo.',
    en: 'Authorization has to be the store id, a colon and the signature in lowercase hexadecimal.',
  },
  header_authorization_invalid: {
    'pt-BR':
      'A loja não existe ou a assinatura não confere. Assine o caminho com a consulta e os bytes exatos do corpo, com a chave secreta atual.',
    en: 'The store does not exist, or the signature does not match. Sign the path with its query and the body’s exact bytes, with the current secret key.',
  },
  header_accept_missing: accept('Falta o cabeçalho Accept.', 'The Accept header is missing.'),
  header_accept_application_missing: accept(
    'Falta a aplicação depois de application/.',
    'The application after application/ is missing.',
  ),
  header_accept_bad_format: accept(
    'O cabeçalho Accept está malformado.',
    'The Accept header is malformed.',
  ),
  header_accept_format_missing: accept('Falta o +json.', 'The +json is missing.'),
  header_accept_charset_missing: accept('Falta o charset.', 'The charset is missing.'),
  header_accept_application_invalid: accept(
    'A aplicação não é a deste serviço.',
    'The application is not this service’s.',
  ),
  header_accept_format_invalid: accept(
    'O formato só pode ser json.',
    'The format can only be json.',
  ),
  header_accept_charset_invalid: accept(
    'O charset só pode ser UTF-8.',
    'The charset can only be UTF-8.',
  ),
  header_accept_version_invalid: accept(
    'A versão não é a desta interface.',
    'The version is not this interface’s.',
  ),
  header_contenttype_not_accepted: {
    'pt-BR': 'O corpo tem de vir como Content-Type: application/json, em UTF-8.',
    en: 'The body has to come as Content-Type: application/json, in UTF-8.',
  },
  header_language_not_accepted: {
    'pt-BR': 'Accept-Language pode ser en-US, pt-BR, pt-PT, es-ES ou tr-TR, ou faltar.',
    en: 'Accept-Language may be en-US, pt-BR, pt-PT, es-ES or tr-TR, or be absent.',
  },
}
