/** Keeps one letter of each word: `Maria de Souza` becomes `M**** d* S****`. */
export function maskName(name: string): string {
  return name
    .split(' ')
    .map((word) => {
      // A letter includes its accents, in either form of Unicode.
      const [first = '', ...others] = word.match(/.\p{M}*/gu) ?? []
      return first + '*'.repeat(others.length)
    })
    .join(' ')
}

const CPF = /^\d{9}(\d{2})$/
const CNPJ = /^[\dA-Z]{12}(\d{2})$/

/**
 * Keeps the last two digits: a CPF becomes `***.***.***-25`. Shows nothing of other texts.
 * @param document - With or without punctuation.
 */
export function maskDocument(document: string): string {
  const bare = document.replace(/[^\dA-Za-z]/g, '').toUpperCase()
  if (CPF.test(bare)) return bare.replace(CPF, '***.***.***-$1')
  if (CNPJ.test(bare)) return bare.replace(CNPJ, '**.***.***/****-$1')
  return '*'.repeat(document.length)
}

/** Keeps one letter before and after the at sign, and the last label: `m****@e******.com`. */
export function maskEmail(email: string): string {
  // A quoted local part may contain an at sign; at signs have several widths.
  const [, local = '', at = '', domain = ''] = /^(.*)([@＠﹫])(.*)$/s.exec(email) ?? []
  if (domain === '') return '*'.repeat(email.length)
  const end = domain.lastIndexOf('.')
  const [name, last] = end < 0 ? [domain, ''] : [domain.slice(0, end), domain.slice(end)]
  return `${maskName(local.replaceAll(' ', '_'))}${at}${maskName(name)}${last}`
}
