import { translated } from '../language/language.js'

export const testDataMessages = translated({
  'pt-BR': {
    title: 'Dados de teste',
    intro: 'O que você envia escolhe o que o banco decide.',
    value: 'Enviar',
    kind: 'Tipo',
    outcome: 'Resultado',
  },
  en: {
    title: 'Test data',
    intro: 'What you send chooses what the bank decides.',
    value: 'Send',
    kind: 'Kind',
    outcome: 'Outcome',
  },
})
