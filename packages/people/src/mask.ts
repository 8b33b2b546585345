/** One letter of each word: `Maria de Souza` becomes `M**** d* S****`. */
export function maskName(name: string): string {
  return name
    .split(' ')
    .map((word) => {
      // A letter has its accents with it, in either form of Unicode.
      const [first = '', ...others] = word.match(/.\p{M}*/gu) ?? []
      return first + '*'.repeat(others.length)
    })
    .join(' ')
}

const CPF = /^\d{3}(\d{3})(\d{3})\d{2}$/
const CNPJ = /^[\dA-Z]{2}([\dA-Z]{3})([\dA-Z]{3})[\dA-Z]{4}\d{2}$/

/**
 * Its middle: `***.982.247-**`, `**.222.333/****-**`. Of what is neither CPF nor CNPJ nothing is
 * shown.
 * @param document - With or without punctuation.
 */
export function maskDocument(document: string): string {
  const bare = document.replace(/[^\dA-Za-z]/g, '').toUpperCase()
  if (CPF.test(bare)) return bare.replace(CPF, '***.$1.$2-**')
  if (CNPJ.test(bare)) return bare.replace(CNPJ, '**.$1.$2/****-**')
  return '*'.repeat(document.length)
}
