import type { NotificationReport } from '@cofre/sandbox'
import { translated } from '../language/language.js'

type States = Readonly<Record<NotificationReport['state'], string>>
type Kinds = Readonly<Record<NotificationReport['kind'], string>>

const statesPt: States = {
  waiting: 'aguardando a loja',
  'waiting-for-search': 'confirmada; falta a loja consultar a transação',
  held: 'retida: a loja recusa tudo há mais de uma hora. Uma notificação é tentada a cada 10 minutos; as outras seguem assim que uma for aceita',
  done: 'confirmada',
}
const statesEn: States = {
  waiting: 'waiting for the shop',
  'waiting-for-search': 'acknowledged; the shop has yet to search the transaction',
  held: 'held back: the shop has refused everything for more than an hour. One notification is tried every 10 minutes; the others follow as soon as one is accepted',
  done: 'acknowledged',
}
const kindsPt: Kinds = { transaction: 'Mudança de status', refund: 'Reembolso' }
const kindsEn: Kinds = { transaction: 'Change of status', refund: 'Refund' }

export const notificationMessages = translated({
  'pt-BR': {
    title: 'Notificações',
    intro:
      'Tudo o que foi enviado à loja, a mais recente primeiro. Uma notificação se repete a cada 10 minutos até a loja responder 200; a de COMPLETE, até a loja consultar a transação também.',
    empty: {
      title: 'Nenhuma notificação ainda',
      text: 'Abra uma transação, escolha um status e notifique: o envio e cada tentativa aparecem aqui.',
    },
    states: statesPt,
    kinds: kindsPt,
    name: (position: number, code: string) => `notificação ${position} da transação ${code}`,
    transaction: 'Transação',
    to: 'Para',
    created: 'Criada',
    nextAttempt: 'Próxima tentativa',
    passTime: 'Deixe o tempo passar',
    attempts: (count: number) => (count === 1 ? '1 tentativa' : `${count} tentativas`),
    attempt: (number: number) => `Tentativa ${number}`,
    noAttempts: 'Nenhuma tentativa ainda: o envio começa em poucos segundos.',
    status: (code: number) => `respondeu ${code}`,
    noAnswer: 'sem resposta',
    duration: (ms: string) => `${ms} ms`,
    request: 'Enviado',
    response: 'Respondido',
    error: 'Erro',
    resend: 'Enviar de novo',
  },
  en: {
    title: 'Notifications',
    intro:
      'Everything that was sent to the shop, newest first. A notification repeats every 10 minutes until the shop answers 200; one of COMPLETE, until the shop has searched the transaction too.',
    empty: {
      title: 'No notification yet',
      text: 'Open a transaction, choose a status and notify: what is sent, and every attempt, shows up here.',
    },
    states: statesEn,
    kinds: kindsEn,
    name: (position: number, code: string) => `notification ${position} of transaction ${code}`,
    transaction: 'Transaction',
    to: 'To',
    created: 'Created',
    nextAttempt: 'Next attempt',
    passTime: 'Let time pass',
    attempts: (count: number) => (count === 1 ? '1 attempt' : `${count} attempts`),
    attempt: (number: number) => `Attempt ${number}`,
    noAttempts: 'No attempt yet: sending begins within a few seconds.',
    status: (code: number) => `answered ${code}`,
    noAnswer: 'no answer',
    duration: (ms: string) => `${ms} ms`,
    request: 'Sent',
    response: 'Answered',
    error: 'Error',
    resend: 'Send again',
  },
})
