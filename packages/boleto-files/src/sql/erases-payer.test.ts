import { randomInt } from 'node:crypto'
import { drawBoletoName } from '@cofre/provider-kit/bank'
import type { Connection } from '@cofre/sql'
import {
  PAYER_NAME,
  describeErasesPayer,
} from '../../../gateway/src/ledger/transaction/erases-payer.conformance.js'
import { boletoOrderOf } from '../../../banks/src/payment/boleto-bank.fixture.js'
import { accountOf } from '../../../banks/src/payment/pix-bank.fixture.js'
import type { RoomTables } from './boleto-file-tables.js'
import { createSqlInstructionStore, eraseInstructedPayers } from './instruction-store-sql.js'

describeErasesPayer('instructions to banks', {
  erase: eraseInstructedPayers,
  async keep({ database, parts: { accounts } }, code) {
    const instructions = createSqlInstructionStore(database)
    const accountId = `bank-${code}`
    await accounts.create(accountOf(accountId), ['boleto'], 'operator:ana')
    const name = drawBoletoName((limit) => randomInt(limit))
    await database.transact((trx) =>
      trx
        .insertInto('charge_names')
        .values({ txid: name, transaction_code: code, account_id: accountId })
        .execute(),
    )
    const { payer, ...order } = boletoOrderOf(name)
    await instructions.register({
      accountId,
      issuedOn: '2026-11-21',
      order: { ...order, payer: { ...payer, name: PAYER_NAME } },
    })
  },
  kept: (db: Connection<RoomTables>, code) =>
    db
      .selectFrom('boleto_instructions')
      .select('payer')
      .where('account_id', '=', `bank-${code}`)
      .execute(),
})
