import type { SettledMethod, SettlementMode } from '@cofre/sandbox'
import { translated } from '../language/language.js'

type Methods = Readonly<Record<SettledMethod, string>>
type Kinds = Readonly<Record<SettlementMode['kind'], string>>

const methodsPt: Methods = {
  boleto: 'Boleto',
  pix: 'PIX',
  'e-wallet': 'Carteira',
  refund: 'Reembolso',
}
const methodsEn: Methods = { boleto: 'Boleto', pix: 'PIX', 'e-wallet': 'Wallet', refund: 'Refund' }
const kindsPt: Kinds = { 'at-once': 'na hora', after: 'depois de um tempo', 'by-hand': 'à mão' }
const kindsEn: Kinds = { 'at-once': 'at once', after: 'after a delay', 'by-hand': 'by hand' }

export const settlementMessages = translated({
  'pt-BR': {
    title: 'Liquidação',
    intro:
      'Como o sandbox paga o que espera pelo pagador ou pelo banco. Cartões são decididos pelo número: veja os dados de teste.',
    methods: methodsPt,
    kinds: kindsPt,
    kind: 'É liquidado',
    seconds: 'Segundos do relógio de teste',
    secondsHint: 'De 1 a 2.592.000 (30 dias); só vale para “depois de um tempo”.',
    save: 'Guardar',
    byHandHint: 'À mão: abra a transação, escolha o status e notifique.',
  },
  en: {
    title: 'Settlement',
    intro:
      'How the sandbox pays what waits for the payer or the bank. Cards are decided by their number: see the test data.',
    methods: methodsEn,
    kinds: kindsEn,
    kind: 'Is settled',
    seconds: 'Seconds of the test clock',
    secondsHint: 'From 1 to 2,592,000 (30 days); only for “after a delay”.',
    save: 'Save',
    byHandHint: 'By hand: open the transaction, choose the status and notify.',
  },
})
