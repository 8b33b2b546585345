// List settings of stores: an entry is dropped only after a person's consent.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '../../config/config.js'
import { copyMigrated } from '../../installation/migrated.fixture.js'
import { runProgram } from '../../main.js'
import { UsageError } from '../line/command.js'

const [SHOP, WWW, NEW] = ['https://loja.example', 'https://www.loja.example', 'https://new.example']

describe('A list of a store', () => {
  let dataDir: string
  let asked: string[]
  beforeEach(() => {
    dataDir = mkdtempSync(path.join(tmpdir(), 'cofre-lists-'))
    copyMigrated(dataDir)
    asked = []
  })
  afterEach(() => {
    rmSync(dataDir, { recursive: true })
  })

  /** @param answer - Answer of the person at the terminal; without one there is no terminal. */
  async function cofre(line: string, answer?: string): Promise<string> {
    let output = ''
    const ask = (question: string) => {
      asked.push(question)
      return Promise.resolve(answer ?? '')
    }
    await runProgram(line.split(' '), {
      clock: Date,
      config: (mode) => readConfig({ COFRE_DATA_DIR: dataDir }, mode),
      print: (text) => (output += text),
      warn: () => undefined,
      fail: () => undefined,
      ...(answer !== undefined && {
        terminal: {
          prompt: ask,
          promptSecret: () => Promise.reject(new Error('no secret is asked for')),
        },
      }),
    })
    return output
  }

  async function listed(): Promise<{ fieldOrigins: string[]; name: string }> {
    const [store] = JSON.parse(await cofre('store list --json')) as [
      { fieldOrigins: string[]; name: string },
    ]
    return store
  }
  const originsNow = async () => (await listed()).fieldOrigins

  it('of origins gets one more and loses one by name, and the others stay', async () => {
    await cofre(`store create loja --origin ${SHOP}`)
    expect(await cofre(`store set loja --add-origin ${NEW} --add-origin ${SHOP}`)).toBe(
      `Changed the store loja in production: fieldOrigins ["${SHOP}"] -> ["${SHOP}","${NEW}"].\n`,
    )
    await cofre(`store set loja --remove-origin ${SHOP} --add-origin ${WWW}`)
    expect(await originsNow()).toEqual([NEW, WWW])
    await expect(cofre(`store set loja --remove-origin ${SHOP}`)).rejects.toThrow(
      `${SHOP} is no origin of loja in production`,
    )
  })

  it.each([`--origin ${NEW}`, '--origin none', `--origin ${WWW} --name Another`])(
    'of origins is not replaced by %s without a terminal',
    async (options) => {
      await cofre(`store create loja --origin ${SHOP} --origin ${WWW}`)
      const replacing = cofre(`store set loja ${options}`)
      await expect(replacing).rejects.toThrow(UsageError)
      await expect(replacing).rejects.toThrow(/would drop https:\/\/loja\.example.*--replace/)
      expect(await listed()).toMatchObject({ name: 'loja', fieldOrigins: [SHOP, WWW] })
      await cofre(`store set loja ${options} --replace`)
      expect(await originsNow()).not.toContain(SHOP)
    },
  )

  it('of origins is replaced once the person at the terminal agrees to the loss', async () => {
    await cofre(`store create loja --origin ${SHOP} --origin ${WWW}`)
    await expect(cofre(`store set loja --origin ${NEW}`, 'n')).rejects.toThrow(
      'nothing was changed: the answer was no',
    )
    expect(await originsNow()).toEqual([SHOP, WWW])
    await cofre(`store set loja --origin ${NEW}`, 'y')
    expect(await originsNow()).toEqual([NEW])
    expect(asked.map((question) => question.includes(`${SHOP}, ${WWW}`))).toEqual([true, true])
  })

  it('of origins is set without a question where none goes', async () => {
    await cofre('store create loja')
    await cofre(`store set loja --origin ${SHOP}`, 'n')
    await cofre(`store set loja --origin ${WWW} --origin ${SHOP}`, 'n')
    expect(await originsNow()).toEqual([WWW, SHOP])
    expect(asked).toEqual([])
  })

  it.each([
    [`--origin ${NEW} --add-origin ${WWW}`, 'stands without'],
    ['--replace', '--replace is for --origin'],
    [`--add-origin ${WWW} --replace`, '--replace is for --origin'],
    ['--add-origin none', 'an origin like'],
    [`--add-origin ${NEW} --remove-origin ${NEW}`, 'both to add and to remove'],
    [
      Array.from({ length: 21 }, (_, i) => `--add-origin https://${i}.example`).join(' '),
      'at most 20',
    ],
  ])('of origins is not changed by %s', async (options, reason) => {
    await cofre('store create loja')
    await expect(cofre(`store set loja ${options}`)).rejects.toThrow(reason)
    expect(await originsNow()).toEqual([])
  })

  it('of interest changes keeps later changes, until a person agrees', async () => {
    await cofre('store create loja')
    await cofre('store interest loja --rate 3% --from 2099-01-01')
    await cofre('store interest loja --rate 2% --brand elo')
    const replacing = cofre('store interest loja --rate 1%')
    await expect(replacing).rejects.toThrow(UsageError)
    await expect(replacing).rejects.toThrow(/would drop 3% a month.*2099-01-01.*--replace/)
    await expect(cofre('store interest loja --usual', 'n')).rejects.toThrow('the answer was no')
    expect(asked).toHaveLength(1)
    await cofre('store interest loja --rate 4% --from 2099-02-01')
    expect(await cofre('store interest loja')).toMatch(/ 3% [^]*elo[^]* 4% /)
    await cofre('store interest loja --rate 1%', 'y')
    expect(await cofre('store interest loja')).not.toMatch(/ [34]% /)
    await cofre('store interest loja --rate 3% --from 2099-01-01')
    await cofre('store interest loja --usual --replace')
    expect(await cofre('store interest loja')).not.toContain(' 3% ')
  })
})
