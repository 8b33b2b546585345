import { translated } from '../language/language.js'

export const clockMessages = translated({
  'pt-BR': {
    title: 'Relógio de teste',
    intro:
      'Deixe o tempo passar para ver repetições de notificações, vencimentos e prazos sem esperar.',
    shared:
      'O relógio é um só para todo o sandbox: avança para todas as lojas, transações e notificações, e nunca volta. A produção não é afetada.',
    now: 'Agora no sandbox',
    ahead: 'Adiante do relógio da máquina',
    notAhead: 'igual ao relógio da máquina',
    advance: 'Avançar',
    by: (duration: string) => `+ ${duration}`,
    custom: 'Outro tempo',
    amount: 'Quanto',
    unit: 'Unidade',
    units: { minute: 'minutos', hour: 'horas', day: 'dias' },
    customHint: 'De 1 minuto a 366 dias.',
    effects: 'O que acontece',
    effectList: [
      '10 minutos: a próxima tentativa das notificações não confirmadas.',
      '1 hora: uma página de carteira não paga expira.',
      '1 dia: um PIX não pago expira.',
      '15 dias: um boleto não pago vira NOT-PAID.',
    ],
  },
  en: {
    title: 'Test clock',
    intro:
      'Let time pass to see notifications repeat, payments expire and deadlines end without waiting.',
    shared:
      'There is one clock for the whole sandbox: it moves for all stores, transactions and notifications, and never goes back. Production is not affected.',
    now: 'Now in the sandbox',
    ahead: 'Ahead of the machine’s clock',
    notAhead: 'the same as the machine’s clock',
    advance: 'Advance',
    by: (duration: string) => `+ ${duration}`,
    custom: 'Another time',
    amount: 'How much',
    unit: 'Unit',
    units: { minute: 'minutes', hour: 'hours', day: 'days' },
    customHint: 'From 1 minute to 366 days.',
    effects: 'What happens',
    effectList: [
      '10 minutes: the next attempt of notifications that were not acknowledged.',
      '1 hour: a wallet’s page that was not paid expires.',
      '1 day: a PIX that was not paid expires.',
      '15 days: a boleto that was not paid becomes NOT-PAID.',
    ],
  },
})
