// docs/errors.md and docs/pt-BR/errors.md, from the error catalogue and the field table of @cofre/contracts.
import { errorCatalogue, transactionRequestTable } from '@cofre/contracts'
import { ERROR_TEXTS } from './error-texts.mjs'
import { FIELD_RULES, REQUIRED_WHEN } from './field-rules.mjs'

const PAGES = {
  en: {
    intro: `# Errors

Every refusal, of every interface, has this body and an HTTP status other than 2xx:

\`\`\`json
{
  "errors": [
    { "code": 210306, "description": "payer_email_invalid", "property": "payer.email", "constraint": "invalid" }
  ]
}
\`\`\`

All that is wrong with a request is told at once, up to a hundred errors, in the order of the body. The status is that of
the first. Decide by \`code\`: codes never change their meaning. \`property\` and \`constraint\` are there where one field
is meant. In descriptions \`#\` stands for the index of the charge or of the cart item, from 0.

**After a 5xx or no answer the outcome of a creation is unknown**: send the same request again with the same
\`Idempotency-Key\`, or search. A 4xx charged nothing.

The errors of the browser library are in [browser-library.md](browser-library.md#errors).

Em português: [pt-BR/errors.md](pt-BR/errors.md).
`,
    head: ['Code', 'Description', 'HTTP', 'Meaning', 'What to do'],
    missing: (field) => [`${field} is missing.`, 'Send it.'],
    invalid: (field) => `${field} is not as it has to be.`,
    unused: 'Never answered: the field is optional.',
    sections: [
      ['headers', 'Headers'],
      ['transactions', 'Creating a transaction'],
      ['lookups', 'Card lookups'],
      ['searches', 'Searching'],
      ['refunds', 'Refunds'],
      ['service', 'The service itself'],
    ],
  },
  'pt-BR': {
    intro: `# Erros

Toda recusa, de qualquer interface, tem este corpo e um status HTTP diferente de 2xx:

\`\`\`json
{
  "errors": [
    { "code": 210306, "description": "payer_email_invalid", "property": "payer.email", "constraint": "invalid" }
  ]
}
\`\`\`

Tudo o que há de errado em um pedido é dito de uma vez, até cem erros, na ordem do corpo. O status é o do primeiro. Decida
pelo \`code\`: os códigos nunca mudam de significado. \`property\` e \`constraint\` aparecem quando o erro é de um campo. Nas
descrições, \`#\` é a posição da cobrança ou do item do carrinho, a partir de 0.

**Depois de um 5xx ou sem resposta, o resultado de uma criação é desconhecido**: envie o mesmo pedido de novo com a mesma
\`Idempotency-Key\`, ou busque. Um 4xx não cobrou nada.

Os erros da biblioteca do navegador estão em [browser-library.md](browser-library.md#erros).

In English: [../errors.md](../errors.md).
`,
    head: ['Código', 'Descrição', 'HTTP', 'O que significa', 'O que fazer'],
    missing: (field) => [`Falta ${field}.`, 'Envie.'],
    invalid: (field) => `${field} não é como deve ser.`,
    unused: 'Nunca respondido: o campo é opcional.',
    sections: [
      ['headers', 'Cabeçalhos'],
      ['transactions', 'Criação de transações'],
      ['lookups', 'Consulta de cartões'],
      ['searches', 'Busca'],
      ['refunds', 'Reembolsos'],
      ['service', 'O próprio serviço'],
    ],
  },
}

function sectionOf(code) {
  if (code < 11_000) return 'headers'
  if (code < 21_000 && code > 20_000) return 'refunds'
  if (code >= 90_000 && code < 100_000) return 'service'
  if (code > 200_000) return 'transactions'
  return code >= 30_300 && code < 30_400 ? 'lookups' : 'searches'
}

/** The field whose missing or invalid value an error tells of; the outermost where several share it. */
function fieldOf(name) {
  return transactionRequestTable.fields.find(
    ({ pattern, rules }) => pattern !== '' && [rules.missing, rules.invalid].includes(name),
  )
}

/** @returns meaning and advice; throws for an error that nobody has explained */
function explain(name, language) {
  const at = language === 'en' ? 0 : 1
  const known = ERROR_TEXTS[name]
  if (known !== undefined) return known.slice(2 * at, 2 * at + 2)
  const field = fieldOf(name)
  const rule = FIELD_RULES[field?.pattern]
  if (field === undefined || rule === undefined)
    throw new Error(`${name} has no text: add it to .ci/docs/error-texts.mjs or field-rules.mjs`)
  const page = PAGES[language]
  const shown = `\`${field.pattern}\``
  if (name === field.rules.invalid) return [page.invalid(shown), rule[at]]
  const [meaning, advice] = page.missing(shown)
  const when = REQUIRED_WHEN[field.pattern]
  if (isNeverMissing(name)) return [meaning, page.unused]
  return [meaning, when === undefined ? advice : when[at]]
}

// `http/every-code.test.ts` of the gateway keeps the list of the codes that no request can earn.
const NEVER_MISSING = /_(?:project_number|save|code|complement|category)_missing$/

function isNeverMissing(name) {
  return NEVER_MISSING.test(name)
}

/** A page of all errors. @param language - `en` or `pt-BR` */
export function errorsPage(language) {
  const page = PAGES[language]
  const rows = Object.entries(errorCatalogue).map(([name, { code, status, key = name }]) => ({
    code,
    line: `| ${code} | \`${key}\` | ${status} | ${explain(name, language).join(' | ')} |`,
  }))
  const sections = page.sections.map(([section, title]) => {
    const lines = rows
      .filter(({ code }) => sectionOf(code) === section)
      .toSorted((one, other) => one.code - other.code)
      .map(({ line }) => line)
    const head = `| ${page.head.join(' | ')} |\n|---|---|---|---|---|`
    return `\n## ${title}\n\n${head}\n${lines.join('\n')}\n`
  })
  return page.intro + sections.join('')
}
